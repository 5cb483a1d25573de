import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.serialization.*;

/**
 * Writes and reads at the same time while somebody else kills a leader: BOOTSTRAP TOPIC PARTITIONS RECORDS RACK.
 * Prints "half" when half of the records are acknowledged, and at the end "all ok" or what is wrong.
 */
public final class LeaderKill {
    public static void main(String[] args) throws Exception {
        String bootstrap = args[0];
        String topic = args[1];
        int partitions = Integer.parseInt(args[2]);
        int records = Integer.parseInt(args[3]);
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicReference<Exception> failure = new AtomicReference<>();
        AtomicBoolean written = new AtomicBoolean();
        FutureTask<Map<String, Integer>> reading =
            new FutureTask<>(() -> read(bootstrap, topic, partitions, args[4], acknowledged, written));
        Thread reader = new Thread(reading);
        reader.setDaemon(true);
        reader.start();
        CountDownLatch half = new CountDownLatch(records / 2);
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap);
        config.put("client.rack", args[4]);
        config.put("acks", "all");
        config.put("linger.ms", 2);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                String value = "value-" + i;
                producer.send(new ProducerRecord<>(topic, i % partitions, null, value.getBytes()), (stored, error) -> {
                    if (error != null) {
                        failure.compareAndSet(null, error);
                    } else {
                        acknowledged.add(value);
                    }
                    half.countDown();
                });
                if (i == records * 3 / 4) {
                    half.await();
                    System.out.println("half");
                } else if (i > records * 3 / 4) {
                    Thread.sleep(1);
                }
            }
            producer.flush();
        }
        written.set(true);
        if (failure.get() != null) {
            System.out.println("FAILED to write: " + failure.get());
            System.exit(1);
        }
        Map<String, Integer> counts = reading.get(90, TimeUnit.SECONDS);
        for (String value : acknowledged) {
            if (counts.getOrDefault(value, 0) != 1) {
                System.out.println("FAILED: " + value + " was read " + counts.getOrDefault(value, 0) + " times");
                System.exit(1);
            }
        }
        System.out.println(acknowledged.size() + " acknowledged, " + counts.size() + " read");
        System.out.println("all ok");
        System.exit(0);
    }

    static Map<String, Integer> read(String bootstrap, String topic, int partitions, String rack,
            Set<String> acknowledged, AtomicBoolean written) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap);
        config.put("client.rack", rack);
        config.put("auto.offset.reset", "earliest");
        Map<String, Integer> counts = new HashMap<>();
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> assigned = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                assigned.add(new TopicPartition(topic, i));
            }
            consumer.assign(assigned);
            while (!written.get() || counts.size() < acknowledged.size()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    counts.merge(new String(record.value()), 1, Integer::sum);
                }
            }
        }
        return counts;
    }
}
