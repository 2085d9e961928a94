import { fetchRow, fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { type CannedReplyChange, type CannedReplyRecord, cannedReplyRecord } from "./canned-replies.schemas.ts";
import {
  cannedReplyAsJson,
  cannedReplyRevision,
  deleteCannedReplyRow,
  insertCannedReply,
  isShortcutFree,
  selectCannedReplies,
  selectCannedReply,
  selectShortcutHolder,
  updateCannedReplyRow,
} from "./canned-replies.sql.ts";
import { nameKey } from "../../shared/folding.ts";

const shortcutTaken = (id: string | null): AppError =>
  new AppError("conflict", "Another canned reply has this shortcut.", { field: "shortcut", canned_reply_id: id });

/** Newest first, one beyond `limit` where there are more. */
export async function listCannedReplies(
  ctx: Ctx,
  limit: number,
  before: string | undefined,
): Promise<CannedReplyRecord[]> {
  return (await fetchRows(ctx.db, selectCannedReplies(ctx, limit, before))).map(({ result }) => result);
}

/** Throws `not_found`. */
export async function getCannedReply(ctx: Ctx, id: string): Promise<CannedReplyRecord> {
  const row = await fetchRow(ctx.db, selectCannedReply(ctx, id));
  if (row === undefined) throw notFound("canned reply");
  return row.result;
}

/** Throws `conflict` where one has the shortcut. */
export async function createCannedReply(
  ctx: Ctx,
  { shortcut, body }: { shortcut: string; body: string },
): Promise<CannedReplyRecord> {
  const id = ctx.newId("crp");
  const key = nameKey(shortcut);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => insertCannedReply(ctx, id, { shortcut, key, body }, guard),
    result: cannedReplyAsJson(ctx, id),
    shape: cannedReplyRecord,
    facts: selectShortcutHolder(ctx, id, key),
  });
  if (result === null) throw shortcutTaken(facts[0]?.id ?? null);
  return result;
}

/** Changes what is given. Throws `not_found`, `precondition_failed`, `conflict`. */
export async function updateCannedReply(ctx: Ctx, id: string, change: CannedReplyChange): Promise<CannedReplyRecord> {
  const { shortcut = null, body = null } = change;
  const key = shortcut === null ? null : nameKey(shortcut);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => updateCannedReplyRow(ctx, id, { shortcut, key, body }, guard),
    currentRevision: cannedReplyRevision(ctx, id),
    result: cannedReplyAsJson(ctx, id, isShortcutFree(ctx, id, key)),
    shape: cannedReplyRecord,
    facts: selectShortcutHolder(ctx, id, key),
  });
  if (result !== null) return result;
  await getCannedReply(ctx, id);
  throw shortcutTaken(facts[0]?.id ?? null);
}

/** Gives the canned reply as it was. Throws `not_found`, `precondition_failed`. */
export async function deleteCannedReply(ctx: Ctx, id: string): Promise<CannedReplyRecord> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => deleteCannedReplyRow(ctx, id, guard),
    currentRevision: cannedReplyRevision(ctx, id),
    result: cannedReplyAsJson(ctx, id),
    isAnsweredFirst: true,
    shape: cannedReplyRecord,
  });
  if (result === null) throw notFound("canned reply");
  return result;
}
