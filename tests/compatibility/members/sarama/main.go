// A member of a group by sarama: `member BOOTSTRAP TOPIC GROUP`, ended by SIGTERM.
// It commits as it reads, and prints what it does, one JSON object a line.
package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/IBM/sarama"
)

var (
	printing sync.Mutex
	printer  = json.NewEncoder(os.Stdout)
)

type fields = map[string]any

func tell(name string, more fields) {
	printing.Lock()
	defer printing.Unlock()
	more["name"] = name
	_ = printer.Encode(more)
}

type member struct{ topic string }

func (one member) Setup(session sarama.ConsumerGroupSession) error {
	tell("assigned", fields{"partitions": append([]int32{}, session.Claims()[one.topic]...)})
	return nil
}

func (member) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (member) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case <-session.Context().Done():
			return nil
		case record, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			tell("read", fields{
				"partition": record.Partition,
				"records":   [][]any{{record.Offset, string(record.Value)}},
			})
			session.MarkMessage(record, "")
		}
	}
}

func main() {
	bootstrap, topic, group := strings.Split(os.Args[1], ","), os.Args[2], os.Args[3]
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	config := sarama.NewConfig()
	config.Version = sarama.V4_0_0_0
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.Offsets.AutoCommit.Interval = 100 * time.Millisecond
	config.Consumer.Group.Heartbeat.Interval = 500 * time.Millisecond
	config.Consumer.Return.Errors = true
	client, err := sarama.NewConsumerGroup(bootstrap, group, config)
	if err != nil {
		tell("failed", fields{"error": err.Error()})
		os.Exit(1)
	}
	go func() {
		for err := range client.Errors() {
			tell("error", fields{"error": err.Error()})
		}
	}()
	for ctx.Err() == nil {
		if err := client.Consume(ctx, []string{topic}, member{topic}); err != nil {
			tell("error", fields{"error": err.Error()})
			time.Sleep(100 * time.Millisecond)
		}
	}
	_ = client.Close()
}
