import { sql } from "drizzle-orm";
import { meteredTransact, transact } from "../../db/statement.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { DEAD_FOLDER, timeOfBucketId } from "../inbound/dead-events.service.ts";
import { type StatusPart, readParts } from "./check-health.ts";
import type { DeploymentStatus, QueueStatus, ShardStatus } from "./status.schemas.ts";
import { shardQueries, selectIfOverdue, type WebhookPosition } from "./status.sql.ts";
import { forEachConcurrently } from "../../shared/chunks.ts";
import { askObject } from "../../shared/errors.ts";
import { sendingState } from "../../shared/sending.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { selectWebhooksToWake } from "../webhooks/webhooks.sql.ts";

const OVERDUE_MS = 10 * MINUTE_MS;
/**
 * Only webhooks of workspaces with events within this time are read. The others have nothing to send, and a call would
 * wake their objects.
 */
const RECENT_MS = 2 * OVERDUE_MS;
/** Limits the calls, because each webhook is read from its own Durable Object. */
const MAX_WEBHOOKS_READ = 100;
/** The platform allows six connections at a time. */
const AT_ONCE = 6;

/** The part of a shard's status that we read from its database. */
type ShardOfDatabase = Omit<ShardStatus, "overdue_webhooks">;

interface OverdueWebhooks {
  shard: number;
  overdue: NonNullable<ShardStatus["overdue_webhooks"]>;
}

/**
 * Finds webhooks that made no attempt in the last ten minutes, although their endpoint works and an event has waited
 * longer. Skips Durable Objects that do not respond, because `sweepWebhooks` logs them.
 */
async function findOverdueWebhooks(base: BaseCtx, shard: number): Promise<OverdueWebhooks> {
  const db = base.shard(shard);
  const before = base.now() - OVERDUE_MS;
  const recent = await selectWebhooksToWake(db, { since: base.now() - RECENT_MS });
  const idle: WebhookPosition[] = [];
  await forEachConcurrently(recent.slice(0, MAX_WEBHOOKS_READ), AT_ONCE, async ({ id, workspaceId }) => {
    const progress = await askObject(async () => base.webhookSenders.getByName(id).place()).catch(() => null);
    if (progress === null || progress.failingSince !== null) return;
    const lastAttemptAt = Math.max(progress.lastSuccessAt ?? 0, progress.lastFailureAt ?? 0);
    if (lastAttemptAt < before) idle.push({ id, workspaceId, next: progress.sequence + 1 });
  });
  const { overdue } = await transact(db, { overdue: idle.map((each) => selectIfOverdue(db, each, before)) });
  return { shard, overdue };
}

const secondsSince = (base: BaseCtx, at: number | null | undefined): number | null =>
  at === null || at === undefined ? null : Math.max(0, Math.round((base.now() - at) / 1000));

async function readShard(base: BaseCtx, shard: number): Promise<ShardOfDatabase> {
  const db = base.shard(shard);
  const { rows, bytes } = await meteredTransact(db, shardQueries(db, base.now()));
  const { queued, oldestDue, dueScheduled, failing, stopped, running, dead, deadOf } = rows;
  const dueSince = [oldestDue[0]?.at, dueScheduled[0]?.oldest].filter((at) => typeof at === "number");
  return {
    shard,
    database_bytes: bytes,
    queued_messages: (queued[0]?.count ?? 0) + (dueScheduled[0]?.count ?? 0),
    oldest_due_seconds: secondsSince(base, dueSince.length > 0 ? Math.min(...dueSince) : null),
    running_campaigns: running[0]?.count ?? 0,
    stopped_campaigns: stopped,
    failing_connections: failing,
    dead_events: dead[0]?.count ?? 0,
    oldest_dead_event_seconds: secondsSince(base, dead[0]?.oldest),
    dead_event_workspaces: deadOf.map(({ id }) => id),
  };
}

const readControlBytes = async ({ control }: BaseCtx): Promise<number> =>
  (await meteredTransact(control, { one: sql`SELECT 1` })).bytes;

/** Lists one page of keys. */
async function readBucket({ bucket }: BaseCtx): Promise<{ count: number; oldest: number | null }> {
  const { objects } = await bucket.list({ prefix: DEAD_FOLDER });
  const times = objects.flatMap(({ key }) => timeOfBucketId(key.slice(key.lastIndexOf("/") + 1)) ?? []);
  return { count: objects.length, oldest: times.length > 0 ? Math.min(...times) : null };
}

export async function readStatus(base: BaseCtx): Promise<DeploymentStatus> {
  const shardNumbers = Array.from({ length: base.shardCount }, (_, shard) => shard);
  const shardParts = shardNumbers.map((shard): StatusPart<ShardOfDatabase> => [
    `shard ${shard}`,
    () => readShard(base, shard),
  ]);
  // Each shard's webhooks are a separate part of the status, so that one slow Durable Object does not hide the results
  // of the database.
  const webhookParts = shardNumbers.map((shard): StatusPart<OverdueWebhooks> => [
    `webhooks of shard ${shard}`,
    () => findOverdueWebhooks(base, shard),
  ]);
  const queueParts = base.backlogs().map(([queue, read]): StatusPart<QueueStatus> => [
    `queue ${queue}`,
    async () => {
      const { messages, oldestAt } = await read();
      return { queue, messages, oldest_seconds: secondsSince(base, oldestAt) };
    },
  ]);
  const [control, shards, webhooks, queues, bucket] = await Promise.all([
    readParts([["control database", () => readControlBytes(base)]]),
    readParts(shardParts),
    readParts(webhookParts),
    readParts(queueParts),
    readParts([["bucket", () => readBucket(base)]]),
  ]);
  const { id, tag } = base.version;
  return {
    sending: sendingState(base),
    version: { id, tag },
    control_database_bytes: control.values[0] ?? null,
    shards: shards.values.map((each) => ({
      ...each,
      overdue_webhooks: webhooks.values.find(({ shard }) => shard === each.shard)?.overdue ?? null,
    })),
    queues: queues.values,
    dead_events_in_bucket: bucket.values[0]?.count ?? null,
    oldest_dead_event_in_bucket_seconds: secondsSince(base, bucket.values[0]?.oldest),
    unreachable: [control, shards, webhooks, queues, bucket].flatMap(({ unreachable }) => unreachable),
  };
}
