// Copies a topic exactly once by franz-go: `copier BOOTSTRAP SOURCE TARGET NAME`, ended by SIGTERM.
// NAME is its group and its transactional id.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const atOnce = 20

func fail(doing string, err error) {
	if err != nil {
		fmt.Println(doing, err)
		os.Exit(1)
	}
}

func copyOnce(session *kgo.GroupTransactSession, fetches kgo.Fetches, target string) {
	// What has begun is ended: SIGTERM is looked at between two transactions.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	fail("begin", session.Begin())
	promises := kgo.AbortingFirstErrPromise(session.Client())
	fetches.EachRecord(func(record *kgo.Record) {
		made := &kgo.Record{Topic: target, Partition: record.Partition, Value: record.Value}
		session.Produce(ctx, made, promises.Promise())
	})
	isCommit := promises.Err() == nil
	committed, err := session.End(ctx, kgo.TransactionEndTry(isCommit))
	fail("end", err)
	fmt.Println("committed", committed)
}

func main() {
	source, target, name := os.Args[2], os.Args[3], os.Args[4]
	stopped, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	session, err := kgo.NewGroupTransactSession(
		kgo.SeedBrokers(strings.Split(os.Args[1], ",")...),
		kgo.TransactionalID(name),
		kgo.ConsumerGroup(name),
		kgo.ConsumeTopics(source),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.RequireStableFetchOffsets(),
		kgo.SessionTimeout(6*time.Second),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
	)
	fail("start", err)
	defer session.Close()
	for stopped.Err() == nil {
		fetches := session.PollRecords(stopped, atOnce)
		if fetches.NumRecords() > 0 {
			copyOnce(session, fetches, target)
		}
	}
}
