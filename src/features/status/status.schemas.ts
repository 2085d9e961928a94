import * as z from "zod";

/** Counts stop here, so that a large backlog does not slow the database down further. */
export const COUNT_LIMIT = 5000;

const age = z.int().nullable();

const shardStatus = z.strictObject({
  shard: z.int(),
  database_bytes: z.int().meta({ description: "Size of the database. D1 stores at most 10 GB." }),
  queued_messages: z.int().meta({ description: `Direct messages that wait to be sent, counted up to ${COUNT_LIMIT}.` }),
  oldest_due_seconds: age.meta({
    description: "How long the oldest unsent direct message has been due. Null if none is due.",
  }),
  running_campaigns: z.int(),
  dead_events: z.int().meta({ description: `Dead provider events in the database, counted up to ${COUNT_LIMIT}.` }),
  oldest_dead_event_seconds: age,
  overdue_webhooks: z.array(z.string()).meta({
    description:
      "Ids of webhooks that seem stuck: they have a working endpoint and an unsent event, but no attempt in the last 10 minutes. Checks up to 100 webhooks with recent events.",
  }),
});
export type ShardStatus = z.infer<typeof shardStatus>;

const queueStatus = z.strictObject({ queue: z.string(), messages: z.int(), oldest_seconds: age });
export type QueueStatus = z.infer<typeof queueStatus>;

export const statusView = z
  .strictObject({
    control_database_bytes: z.int().nullable(),
    shards: z.array(shardStatus),
    queues: z.array(queueStatus),
    dead_events_in_bucket: z
      .int()
      .nullable()
      .meta({ description: "Number of dead events in the bucket, counted up to 1,000." }),
    oldest_dead_event_in_bucket_seconds: age,
    unreachable: z
      .array(z.string())
      .meta({ description: "Parts that did not respond within 5 seconds. Their values are null or missing." }),
  })
  .meta({ id: "DeploymentStatus" });
export type DeploymentStatus = z.infer<typeof statusView>;
