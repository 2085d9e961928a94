import type * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { boundRowError, invalid, merged, notFound } from "../../../shared/errors.ts";
import { readOrReplay, commitOnce } from "../../commits/commit-once.ts";
import { findMember } from "../../members/members.service.ts";
import {
  type bulkCounts,
  type bulkResult,
  type ConversationChange,
  conversationRecord,
  type UndoableFields,
  MAX_LABELS,
  TOO_MANY_LABELS,
} from "../conversations.schemas.ts";
import { conversationNotFound } from "../conversations.service.ts";
import { conversationAsJson } from "../conversations.sql.ts";
import {
  changedConversations,
  changedConversationsAsJson,
  changeConversationRows,
  type ConversationChanges,
} from "./change-conversations.sql.ts";

const NO_MORE_LABELS = {
  path: "labels",
  code: "too_big",
  message: `This conversation already has ${MAX_LABELS} labels.`,
} as const;

const MAX_SNOOZE_MS = 365 * DAY_MS;

function readSnooze(ctx: Ctx, { status, snoozed_until: written }: ConversationChange): number | null | undefined {
  if (written === undefined || written === null) return written;
  const at = Date.parse(written);
  if (at <= ctx.now() || at > ctx.now() + MAX_SNOOZE_MS) {
    throw invalid({
      path: "snoozed_until",
      code: "out_of_range",
      message: "Must be in the future and within 365 days.",
    });
  }
  if (status === "done") {
    throw invalid({
      path: "snoozed_until",
      code: "invalid_value",
      message: "A conversation cannot be done and snoozed at the same time.",
    });
  }
  return at;
}

async function readChanges(ctx: Ctx, change: ConversationChange): Promise<ConversationChanges> {
  const { status, assignee_id: assigneeId, labels } = change;
  const snoozedUntil = readSnooze(ctx, change);
  if (assigneeId === undefined || assigneeId === null) return { status, assignee: assigneeId, snoozedUntil, labels };
  const assignee = await findMember(ctx, assigneeId);
  if (assignee === undefined) throw notFound("member");
  return { status, assignee, snoozedUntil, labels };
}

export async function updateConversation(ctx: Ctx, id: string, change: ConversationChange) {
  const result = await readOrReplay(ctx, {
    shape: conversationRecord,
    read: () => readChanges(ctx, change),
    async act(changes) {
      const committed = await commitOnce(ctx, {
        effects: (guard) => changeConversationRows(ctx, [id], changes, guard),
        result: conversationAsJson(ctx, id),
        shape: conversationRecord,
      });
      return committed.result;
    },
  });
  if (result === null) throw await conversationNotFound(ctx, id);
  return result;
}

async function changeConversations(
  ctx: Ctx,
  ids: string[],
  read: () => ConversationChanges | Promise<ConversationChanges>,
) {
  const result = await readOrReplay(ctx, {
    shape: changedConversations,
    read,
    async act(changes) {
      const committed = await commitOnce(ctx, {
        effects: (guard) => changeConversationRows(ctx, ids, changes, guard),
        result: changedConversationsAsJson(ctx, ids, changes),
        shape: changedConversations,
        storesReplayFirst: true,
      });
      return committed.result;
    },
  });
  const counts: z.infer<typeof bulkCounts> = { updated: 0, unchanged: 0, failed: 0 };
  const updated = new Set<string>();
  const results = (result?.conversations ?? []).map((conversation, index): z.infer<typeof bulkResult> => {
    const { id, is_found: isFound, is_changed: isChanged, is_full: isFull, merged_into: into } = conversation;
    const isFailed = isFound === 0 || isFull === 1;
    const status = isFailed ? "failed" : isChanged === 1 && !updated.has(id) ? "updated" : "unchanged";
    counts[status]++;
    if (status === "updated") updated.add(id);
    const missing = into === null ? notFound("conversation") : merged("conversation", into);
    const refusal = isFound === 0 ? missing : invalid(NO_MORE_LABELS);
    return { index, status, conversation_id: id, error: isFailed ? boundRowError(refusal) : null };
  });
  return { results, counts };
}

export const updateConversations = (ctx: Ctx, { ids, ...change }: ConversationChange & { ids: string[] }) =>
  changeConversations(ctx, ids, () => readChanges(ctx, change));

interface ConversationUndo {
  ids: string[];
  before: UndoableFields;
  /** The undo restores only conversations that still have these values. */
  after: UndoableFields;
}

/**
 * Skips conversations that somebody has changed again in the meantime. Does not restore a snooze that would already be
 * over.
 */
export function undoConversationChange(ctx: Ctx, { ids, before, after }: ConversationUndo) {
  const { snoozed_until: until } = before;
  const isOver = typeof until === "string" && Date.parse(until) <= ctx.now();
  const change = isOver ? { ...before, snoozed_until: null } : before;
  return changeConversations(ctx, ids, async () => ({ ...(await readChanges(ctx, change)), onlyFrom: after }));
}

interface LabelChange {
  ids: string[];
  added?: string[];
  removed?: string[];
}

export const changeLabels = (ctx: Ctx, { ids, added, removed }: LabelChange) =>
  changeConversations(ctx, ids, () => ({ addedLabels: added, removedLabels: removed }));

export async function relabelConversation(ctx: Ctx, id: string, change: Omit<LabelChange, "ids">): Promise<void> {
  const { results } = await changeLabels(ctx, { ids: [id], ...change });
  const refusal = results[0]?.error?.code;
  if (refusal === "validation_failed") throw invalid({ ...NO_MORE_LABELS, message: TOO_MANY_LABELS });
  if (refusal !== undefined) throw await conversationNotFound(ctx, id);
}
