// One record in and out by franz-go, over TLS and with a login, both idempotently and in a group:
// `secured ADDRESS CA MECHANISM USER SECRET`. The secret is the password or, for OAUTHBEARER, the
// token. It prints what it read.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

func mechanism(name, user, secret string) sasl.Mechanism {
	switch name {
	case "PLAIN":
		return plain.Auth{User: user, Pass: secret}.AsMechanism()
	case "SCRAM-SHA-256":
		return scram.Auth{User: user, Pass: secret}.AsSha256Mechanism()
	case "SCRAM-SHA-512":
		return scram.Auth{User: user, Pass: secret}.AsSha512Mechanism()
	case "OAUTHBEARER":
		return oauth.Auth{Token: secret, Extensions: map[string]string{"traceId": "7"}}.AsMechanism()
	}
	log.Fatalf("no mechanism %s", name)
	return nil
}

func main() {
	address, ca, name, user, secret := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	text, err := os.ReadFile(ca)
	if err != nil {
		log.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(text) {
		log.Fatal("no authority in ", ca)
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(address),
		kgo.DialTLSConfig(&tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}),
		kgo.SASL(mechanism(name, user, secret)),
		kgo.AllowAutoTopicCreation(),
		kgo.ConsumeTopics("t"),
		kgo.ConsumerGroup("g"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
	)
	if err != nil {
		log.Fatal(err)
	}
	limited, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	record := &kgo.Record{Topic: "t", Value: []byte("hello")}
	if err := client.ProduceSync(limited, record).FirstErr(); err != nil {
		log.Fatal("produce: ", err)
	}
	for limited.Err() == nil {
		fetches := client.PollFetches(limited)
		if err := fetches.Err0(); err != nil {
			log.Fatal("fetch: ", err)
		}
		if records := fetches.Records(); len(records) > 0 {
			fmt.Println(string(records[0].Value))
			if err := client.CommitUncommittedOffsets(limited); err != nil {
				log.Fatal("commit: ", err)
			}
			client.Close()
			return
		}
	}
	log.Fatal("nothing came")
}
