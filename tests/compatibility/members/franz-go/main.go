// A member of a group by franz-go: `member BOOTSTRAP TOPIC GROUP`, ended by SIGTERM; with
// PROTOCOL=consumer the broker assigns (KIP-848).
// It commits what it was given before it asks for more, and prints what it does, one JSON object a
// line.
package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/twmb/franz-go/pkg/kgo"
)

var (
	printing sync.Mutex
	printer  = json.NewEncoder(os.Stdout)
	owned    = map[int32]bool{}
)

type fields = map[string]any

func tell(name string, more fields) {
	printing.Lock()
	defer printing.Unlock()
	more["name"] = name
	_ = printer.Encode(more)
}

// changed notes which partitions came or went; franz-go calls it from one goroutine at a time.
func changed(topic string, isOwned bool) func(context.Context, *kgo.Client, map[string][]int32) {
	return func(_ context.Context, _ *kgo.Client, some map[string][]int32) {
		for _, partition := range some[topic] {
			if isOwned {
				owned[partition] = true
			} else {
				delete(owned, partition)
			}
		}
		partitions := []int32{}
		for partition := range owned {
			partitions = append(partitions, partition)
		}
		tell("assigned", fields{"partitions": partitions})
	}
}

func readAndCommit(ctx context.Context, client *kgo.Client) {
	fetches := client.PollFetches(ctx)
	fetches.EachError(func(_ string, partition int32, err error) {
		tell("error", fields{"partition": partition, "error": err.Error()})
	})
	ends := map[int32]int64{}
	fetches.EachPartition(func(one kgo.FetchTopicPartition) {
		records := [][]any{}
		for _, record := range one.Records {
			records = append(records, []any{record.Offset, string(record.Value)})
			ends[record.Partition] = record.Offset + 1
		}
		tell("read", fields{"partition": one.Partition, "records": records})
	})
	if err := client.CommitRecords(ctx, fetches.Records()...); err != nil {
		tell("error", fields{"error": err.Error()})
	} else {
		for partition, end := range ends {
			tell("committed", fields{"partition": partition, "offset": end})
		}
	}
	client.AllowRebalance()
}

func main() {
	bootstrap, topic, group := strings.Split(os.Args[1], ","), os.Args[2], os.Args[3]
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	options := []kgo.Opt{
		kgo.SeedBrokers(bootstrap...),
		kgo.ConsumerGroup(group),
		kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(),
		kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsAssigned(changed(topic, true)),
		kgo.OnPartitionsRevoked(changed(topic, false)),
		kgo.OnPartitionsLost(changed(topic, false)),
	}
	if os.Getenv("PROTOCOL") == "consumer" {
		asked := context.WithValue(context.Background(), "opt_in_kafka_next_gen_balancer_beta", true)
		options = append(options, kgo.WithContext(asked))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		tell("failed", fields{"error": err.Error()})
		os.Exit(1)
	}
	for ctx.Err() == nil {
		readAndCommit(ctx, client)
	}
	client.CloseAllowingRebalance()
}
