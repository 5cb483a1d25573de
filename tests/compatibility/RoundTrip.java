import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.*;

/** Drives a node through the Java clients; prints one line a check and exits 1 at the first miss. */
public final class RoundTrip {
    static final int RECORDS = 1000;

    static void check(String name, Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            System.out.println("FAILED " + name + ": expected " + expected + ", got " + actual);
            System.exit(1);
        }
        System.out.println("ok " + name);
    }

    static Map<String, Object> base(String bootstrap) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap);
        return config;
    }

    public static void main(String[] args) throws Exception {
        String bootstrap = args[0];
        try (Admin admin = Admin.create(base(bootstrap))) {
            admin.createTopics(List.of(new NewTopic("java-admin", 3, (short) 1))).all().get();
            check("topic visible at once", 3,
                admin.describeTopics(List.of("java-admin")).allTopicNames().get().get("java-admin").partitions().size());
            check("one node", 1, admin.describeCluster().nodes().get().size());
            for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
                String topic = "java-" + codec;
                produce(bootstrap, topic, codec);
                consume(bootstrap, topic, "read_uncommitted");
                consume(bootstrap, topic, "read_committed");
            }
            transactions(bootstrap);
            offsets(admin);
            configs(admin);
            admin.createPartitions(Map.of("java-admin", NewPartitions.increaseTo(5))).all().get();
            check("partitions grown", 5,
                admin.describeTopics(List.of("java-admin")).allTopicNames().get().get("java-admin").partitions().size());
            check("one log dir", 1, admin.describeLogDirs(List.of(
                admin.describeCluster().nodes().get().iterator().next().id())).allDescriptions().get().size());
            admin.deleteTopics(List.of("java-admin")).all().get();
            check("deleted at once", false, admin.listTopics().names().get().contains("java-admin"));
        }
        System.out.println("all ok");
    }

    static void produce(String bootstrap, String topic, String codec) throws Exception {
        Map<String, Object> config = base(bootstrap);
        config.put("compression.type", codec);
        config.put("linger.ms", 5);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    topic, 0, 1_700_000_000_000L + i, ("k" + i).getBytes(), ("v" + i).getBytes());
                record.headers().add("h", "x".getBytes(StandardCharsets.UTF_8));
                sent.add(producer.send(record));
            }
            for (int i = 0; i < RECORDS; i++) {
                long offset = sent.get(i).get(20, TimeUnit.SECONDS).offset();
                if (offset != i) check(codec + " offset", (long) i, offset);
            }
            System.out.println("ok produce " + codec);
        }
    }

    static Producer<byte[], byte[]> transactional(String bootstrap) {
        Map<String, Object> config = base(bootstrap);
        config.put("transactional.id", "java");
        Producer<byte[], byte[]> producer =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    static void transactions(String bootstrap) throws Exception {
        String topic = "java-transactions";
        TopicPartition partition = new TopicPartition(topic, 0);
        List<String> seen = new ArrayList<>();
        try (Producer<byte[], byte[]> first = transactional(bootstrap)) {
            for (int i = 0; i < 4; i++) {
                first.beginTransaction();
                first.send(new ProducerRecord<>(topic, 0, null, ("v" + i).getBytes()));
                first.sendOffsetsToTransaction(
                    Map.of(partition, new OffsetAndMetadata(i + 1)), new ConsumerGroupMetadata("java-g"));
                if (i % 2 == 0) first.commitTransaction();
                else first.abortTransaction();
            }
            first.beginTransaction();
            first.send(new ProducerRecord<>(topic, 0, null, "lost".getBytes())).get(20, TimeUnit.SECONDS);
            try (Producer<byte[], byte[]> second = transactional(bootstrap)) {
                boolean fenced = false;
                try {
                    first.commitTransaction();
                } catch (KafkaException error) {
                    fenced = true;
                }
                check("fenced", true, fenced);
                second.beginTransaction();
                second.send(new ProducerRecord<>(topic, 0, null, "kept".getBytes()));
                second.commitTransaction();
            }
        }
        Map<String, Object> config = base(bootstrap);
        config.put("isolation.level", "read_committed");
        config.put("auto.offset.reset", "earliest");
        config.put("group.id", "java-g");
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            check("offset of a transaction", 3L, consumer.committed(Set.of(partition)).get(partition).offset());
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (!seen.contains("kept") && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    seen.add(new String(record.value()));
                }
            }
            check("only what was committed", List.of("v0", "v2", "kept"), seen);
        }
    }

    static void consume(String bootstrap, String topic, String isolation) {
        Map<String, Object> config = base(bootstrap);
        config.put("isolation.level", isolation);
        config.put("auto.offset.reset", "earliest");
        config.put("max.partition.fetch.bytes", 4096);
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            int next = 0;
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (next < RECORDS && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    Header header = record.headers().lastHeader("h");
                    if (record.offset() != next || !new String(record.value()).equals("v" + next)
                            || header == null || record.timestamp() != 1_700_000_000_000L + next) {
                        check(topic + " record", next, record);
                    }
                    next++;
                }
            }
            check(topic + " " + isolation, RECORDS, next);
            check(topic + " end", (long) RECORDS, consumer.endOffsets(List.of(partition)).get(partition));
            OffsetAndTimestamp found =
                consumer.offsetsForTimes(Map.of(partition, 1_700_000_000_500L)).get(partition);
            check(topic + " by time", 500L, found.offset());
        }
    }

    static void offsets(Admin admin) throws Exception {
        TopicPartition partition = new TopicPartition("java-none", 0);
        check("max timestamp", (long) RECORDS - 1, admin.listOffsets(
            Map.of(partition, OffsetSpec.maxTimestamp())).partitionResult(partition).get().offset());
        check("delete records", 10L, admin.deleteRecords(
            Map.of(partition, RecordsToDelete.beforeOffset(10))).lowWatermarks().get(partition).get().lowWatermark());
        check("earliest", 10L, admin.listOffsets(
            Map.of(partition, OffsetSpec.earliest())).partitionResult(partition).get().offset());
    }

    static void configs(Admin admin) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "java-admin");
        admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(
            new ConfigEntry("retention.ms", "12345678"), AlterConfigOp.OpType.SET)))).all().get();
        Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
        check("altered config", "12345678", config.get("retention.ms").value());
        check("its source", ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG, config.get("retention.ms").source());
        check("a default", "delete", config.get("cleanup.policy").value());
    }
}
