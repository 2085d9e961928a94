import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { nameKey } from "../../shared/text/folding.ts";
import { changeRecord, requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { createdEvent, updatedEvents } from "../events/events.changes.ts";
import { changeCannedReply, shortcutTaken } from "./canned-replies.changes.ts";
import { type CannedReplyChange, type CannedReplyRecord, cannedReplyRecord } from "./canned-replies.schemas.ts";
import {
  deleteCannedReplyRow,
  insertCannedReply,
  selectCannedReplies,
  selectCannedReply,
  selectShortcutHolder,
  updateCannedReplyRow,
} from "./canned-replies.sql.ts";

const KIND = "canned reply";

export const listCannedReplies = (ctx: Ctx, limit: number, before: string | undefined): Promise<CannedReplyRecord[]> =>
  fetchRows(ctx.db, selectCannedReplies(ctx, limit, before));

export const getCannedReply = async (ctx: Ctx, id: string): Promise<CannedReplyRecord> =>
  requireRow(await fetchRows(ctx.db, selectCannedReply(ctx, id)), KIND);

export function createCannedReply(
  ctx: Ctx,
  { shortcut, body }: { shortcut: string; body: string },
): Promise<CannedReplyRecord> {
  const [id, shortcutKey, at] = [ctx.newId("crp"), nameKey(shortcut), ctx.now()];
  return decideAndCommit(ctx, {
    shape: cannedReplyRecord,
    reads: { holders: selectShortcutHolder(ctx, shortcutKey) },
    expectsNothing: true,
    decide: ({ holders: [holder] }) =>
      holder === undefined
        ? {
            writes: [insertCannedReply(ctx, { id, shortcut, shortcutKey, body, createdAt: at, updatedAt: at })],
            events: [createdEvent("canned_reply.created", id, { shortcut, body })],
            answer: { id, shortcut, body, created_at: at, updated_at: at, revision: 1 },
          }
        : shortcutTaken(holder.id),
  });
}

export function updateCannedReply(ctx: Ctx, id: string, change: CannedReplyChange): Promise<CannedReplyRecord> {
  const key = change.shortcut === undefined ? undefined : nameKey(change.shortcut);
  return changeRecord(ctx, {
    kind: KIND,
    shape: cannedReplyRecord,
    record: selectCannedReply(ctx, id),
    reads: { holders: key === undefined ? undefined : selectShortcutHolder(ctx, key) },
    decide(reply, { holders: [holder] }) {
      const changed = changeCannedReply(reply, holder, change, ctx.now());
      if (changed instanceof AppError) return changed;
      const { shortcut, body, updated_at: updatedAt, revision } = changed;
      const row = { shortcut, shortcutKey: key, body, updatedAt, revision };
      return {
        writes: changed === reply ? [] : [updateCannedReplyRow(ctx, id, row)],
        events: updatedEvents("canned_reply.updated", id, reply, { shortcut, body }),
        answer: changed,
      };
    },
  });
}

export const deleteCannedReply = (ctx: Ctx, id: string): Promise<CannedReplyRecord> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: cannedReplyRecord,
    record: selectCannedReply(ctx, id),
    decide: (reply) => ({
      writes: [deleteCannedReplyRow(ctx, id)],
      events: [{ type: "canned_reply.deleted", id }],
      answer: reply,
    }),
  });
