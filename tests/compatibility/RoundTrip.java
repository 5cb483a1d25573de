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
