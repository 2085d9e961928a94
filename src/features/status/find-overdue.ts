import { transact } from "../../db/statement.ts";
import { forEachConcurrently } from "../../shared/chunks.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { selectWebhooksToWake } from "../webhooks/webhooks.sql.ts";
import { selectIfOverdue, type WebhookPosition } from "./status.sql.ts";

const OVERDUE_MS = 10 * MINUTE_MS;
/** Webhooks with events within this time. Others have nothing to send, and their objects sleep. */
const RECENT_MS = 2 * OVERDUE_MS;
/** Each costs a call to its object. */
const MAX_WEBHOOKS_READ = 100;
/** The platform allows six connections at a time. */
const AT_ONCE = 6;

/**
 * Webhooks with a working endpoint that made no attempt for ten minutes although an event is older than that. Objects that do not
 * respond are left out, because `sweepWebhooks` logs them.
 */
export async function findOverdueWebhooks(base: BaseCtx, shard: number): Promise<string[]> {
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
  return overdue.map(({ id }) => id);
}
