// A member of a group by KafkaJS: `node kafkajs.js BOOTSTRAP TOPIC GROUP`, ended by SIGTERM.
// It commits after each batch, and prints what it does, one JSON object a line.
const { Kafka, logLevel } = require(process.env.KAFKAJS);

const [bootstrap, topic, groupId] = process.argv.slice(2);
const tell = (name, fields) => console.log(JSON.stringify({ name, ...fields }));
const kafka = new Kafka({
  clientId: "member",
  brokers: bootstrap.split(","),
  logLevel: logLevel.NOTHING,
  retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 20 },
});
const consumer = kafka.consumer({ groupId, sessionTimeout: 10000, heartbeatInterval: 500 });

consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
  tell("assigned", { partitions: payload.memberAssignment[topic] || [] });
});
consumer.on(consumer.events.CRASH, ({ payload }) => {
  tell("crashed", { error: String(payload.error), restarts: payload.restart });
});

async function eachBatch({ batch, resolveOffset }) {
  const { partition, messages } = batch;
  const records = messages.map((one) => [Number(one.offset), one.value.toString()]);
  tell("read", { partition, records });
  const next = Number(batch.lastOffset()) + 1;
  await consumer.commitOffsets([{ topic, partition, offset: String(next) }]);
  resolveOffset(batch.lastOffset());
  tell("committed", { partition, offset: next });
}

async function main() {
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch });
}

process.on("SIGTERM", async () => {
  await consumer.disconnect();
  process.exit(0);
});
main().catch((error) => {
  tell("failed", { error: String(error) });
  process.exit(1);
});
