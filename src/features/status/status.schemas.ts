import * as z from "zod";
import { connectionStatus } from "../../channels/channel-events.ts";

/** Counts stop here, so that a large backlog does not slow the database down further. */
export const COUNT_LIMIT = 5000;

/**
 * The maximum length of each list of records that need attention. The status is logged each minute, so it must stay
 * short.
 */
export const LIST_LIMIT = 20;

const age = z.int().nullable();

/** Includes the workspace, because the path of a record contains the workspace's id. */
const inWorkspace = { workspace_id: z.string(), id: z.string() };

const shardStatus = z.strictObject({
  shard: z.int(),
  database_bytes: z.int().meta({ description: "Size of the database. D1 stores at most 10 GB." }),
  queued_messages: z.int().meta({
    description: `Direct messages that wait to be sent, and scheduled messages that are due, each counted up to ${COUNT_LIMIT}.`,
  }),
  oldest_due_seconds: age.meta({
    description: "How long a direct or scheduled message has been due. Null if none is due.",
  }),
  running_campaigns: z.int(),
  stopped_campaigns: z.array(z.strictObject({ ...inWorkspace, last_error: z.string().nullable() })).meta({
    description: `Campaigns that Tidings paused, newest first, up to ${LIST_LIMIT}.`,
  }),
  failing_connections: z.array(z.strictObject({ ...inWorkspace, status: connectionStatus })).meta({
    description: `Connections that cannot send, up to ${LIST_LIMIT}. The latest change of a status comes first.`,
  }),
  dead_events: z.int().meta({ description: `Dead provider events in the database, counted up to ${COUNT_LIMIT}.` }),
  oldest_dead_event_seconds: age,
  dead_event_workspaces: z.array(z.string()).meta({
    description: `Ids of workspaces with dead events in the database, up to ${LIST_LIMIT}.`,
  }),
  overdue_webhooks: z.array(z.strictObject(inWorkspace)).nullable().meta({
    description:
      "Webhooks whose endpoint works, that have an unsent event and made no attempt for 10 minutes. Covers up to 100 webhooks with recent events.",
  }),
});
export type ShardStatus = z.infer<typeof shardStatus>;

const queueStatus = z.strictObject({ queue: z.string(), messages: z.int(), oldest_seconds: age });
export type QueueStatus = z.infer<typeof queueStatus>;

export const statusView = z
  .strictObject({
    sending: z.enum(["on", "off"]).meta({ description: "`off`: the operator has stopped sending." }),
    version: z
      .strictObject({ id: z.string(), tag: z.string() })
      .meta({ description: "The deployed version of the Worker, as `npx wrangler versions list` shows it." }),
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
