import java.util.*;
import java.util.concurrent.*;
import org.apache.kafka.common.serialization.*;
import org.apache.kafka.streams.*;
import org.apache.kafka.streams.kstream.*;

/**
 * Counts words exactly once, until its standard input ends: BOOTSTRAP APPLICATION INPUT OUTPUT STATE_DIRECTORY.
 * Each word gives one record with its new count. Prints "running", and at the end "all ok" or what is wrong.
 */
public final class WordCount {
    public static void main(String[] args) throws Exception {
        Properties config = new Properties();
        config.put("bootstrap.servers", args[0]);
        config.put("application.id", args[1]);
        config.put("state.dir", args[4]);
        config.put("processing.guarantee", "exactly_once_v2");
        config.put("replication.factor", 3);
        config.put("num.stream.threads", 2);
        config.put("commit.interval.ms", 50);
        config.put("statestore.cache.max.bytes", 0);
        config.put("default.key.serde", Serdes.StringSerde.class);
        config.put("default.value.serde", Serdes.StringSerde.class);
        config.put("consumer.auto.offset.reset", "earliest");
        config.put("consumer.session.timeout.ms", 6000);
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(args[2])
            .flatMapValues(line -> Arrays.asList(line.split(" ")))
            .groupBy((key, word) -> word)
            .count()
            .toStream()
            .mapValues(count -> Long.toString(count))
            .to(args[3]);
        CountDownLatch running = new CountDownLatch(1);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        try (KafkaStreams streams = new KafkaStreams(builder.build(), config)) {
            streams.setStateListener((now, before) -> {
                if (now == KafkaStreams.State.RUNNING) {
                    running.countDown();
                }
            });
            streams.setUncaughtExceptionHandler(error -> {
                failures.add(error);
                return org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler
                    .StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            streams.start();
            if (!running.await(90, TimeUnit.SECONDS)) {
                failures.add(new TimeoutException("it does not run after 90 s"));
            }
            System.out.println("running");
            while (failures.isEmpty() && System.in.read() >= 0) {
                continue;
            }
        }
        if (!failures.isEmpty()) {
            failures.get(0).printStackTrace(System.out);
            System.exit(1);
        }
        System.out.println("all ok");
    }
}
