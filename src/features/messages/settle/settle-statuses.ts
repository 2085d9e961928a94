import { lt } from "drizzle-orm";

import type { StatusEvent, MessageError } from "../../../channels/channel-events.ts";
import { deleteInChunks } from "../../../db/delete-in-chunks.ts";
import { earlyStatuses } from "../../../db/schema/index.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { chunksOf } from "../../../shared/chunks.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { isPhoneAddress } from "../../../shared/text/phone.ts";
import type { WorkspaceRef } from "../../../shared/access/workspace.ts";
import { type ReportedMessage, storeReportedKeys } from "./store-reported-keys.sql.ts";
import { state } from "../messages.states.ts";
import { applyProgress, type NewIdentity, type StatusProgress } from "./settle-statuses.sql.ts";

const earliest = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));

export function toStatusProgress(
  { messageId, providerMessageId, providerKey, status, at, error, price = null, recipient = null }: StatusEvent,
  source: { workspace: WorkspaceRef; connectionId: string },
): StatusProgress {
  const reached = state[status];
  const failure: MessageError = error ?? {
    code: "undeliverable",
    message: "The provider could not deliver the message.",
    providerCode: null,
  };
  return {
    id: messageId,
    workspaceId: source.workspace.id,
    connectionId: source.connectionId,
    providerMessageId,
    providerKey: providerKey ?? providerMessageId,
    state: reached,
    sentAt: status === "failed" ? null : at,
    deliveredAt: reached >= state.delivered ? at : null,
    readAt: reached >= state.read ? at : null,
    failedAt: status === "failed" ? at : null,
    error: status === "failed" ? failure : null,
    price,
    recipient,
  };
}

function combine(a: StatusProgress, b: StatusProgress): StatusProgress {
  const ahead = a.state >= b.state ? a : b;
  return {
    ...ahead,
    sentAt: earliest(a.sentAt, b.sentAt),
    deliveredAt: earliest(a.deliveredAt, b.deliveredAt),
    readAt: earliest(a.readAt, b.readAt),
    price: ahead.price ?? a.price ?? b.price,
    recipient: ahead.recipient ?? a.recipient ?? b.recipient,
  };
}

export interface ReportedStatus {
  workspace: WorkspaceRef;
  connectionId: string;
  event: StatusEvent;
}

/**
 * Most messages have no stored key, so a status without our id often matches nothing. `storeReportedKeys` then searches
 * the messages to the recipient and stores the key.
 */
function reportedByAddress({ workspace, connectionId, event }: ReportedStatus): ReportedMessage[] {
  const { messageId, providerMessageId, providerKey, sentTo = null } = event;
  if (messageId !== null || sentTo === null) return [];
  const isPhone = isPhoneAddress(sentTo);
  const addressee = { phone: isPhone ? sentTo : null, userIds: isPhone ? [] : [sentTo] };
  return [{ workspaceId: workspace.id, connectionId, providerKey: providerKey ?? providerMessageId, ...addressee }];
}

export interface ReportedNames {
  workspace: WorkspaceRef;
  names: NewIdentity[];
}

/** Limits the work of one statement, because one webhook request can contain many statuses. */
const STATUSES_PER_BATCH = 2000;

export async function settleStatuses(
  base: BaseCtx,
  shard: number,
  reports: ReportedStatus[],
): Promise<ReportedNames[]> {
  const names: ReportedNames[] = [];
  for (const some of chunksOf(reports, STATUSES_PER_BATCH)) names.push(...(await settleTogether(base, shard, some)));
  return names;
}

async function settleTogether(base: BaseCtx, shard: number, reports: ReportedStatus[]): Promise<ReportedNames[]> {
  const byMessage = new Map<string, StatusProgress>();
  for (const report of reports) {
    const progress = toStatusProgress(report.event, report);
    const key = JSON.stringify([progress.connectionId, progress.id, progress.id ?? progress.providerKey]);
    const earlier = byMessage.get(key);
    byMessage.set(key, earlier === undefined ? progress : combine(earlier, progress));
  }
  if (byMessage.size === 0) return [];
  const keys = storeReportedKeys(reports.flatMap(reportedByAddress));
  const identities = await applyProgress(base.shard(shard), [...byMessage.values()], keys, base.now());
  const workspaces = new Map(reports.map(({ workspace }) => [workspace.id, workspace]));
  return [...workspaces.values()].flatMap((workspace) => {
    const names = identities.filter(({ workspace_id }) => workspace_id === workspace.id);
    return names.length === 0 ? [] : [{ workspace, names }];
  });
}

/** If a status matches no message within a day, another sender sent the message, and the status is deleted. */
const EARLY_KEPT_MS = DAY_MS;

export const forgetEarlyStatuses = (base: BaseCtx, shard: number): Promise<void> =>
  deleteInChunks(base.shard(shard), earlyStatuses, lt(earlyStatuses.createdAt, base.now() - EARLY_KEPT_MS));
