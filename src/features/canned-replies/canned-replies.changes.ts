import { revise } from "../../shared/edit-conflicts.ts";
import { AppError } from "../../shared/errors.ts";
import type { CannedReplyChange, CannedReplyRecord } from "./canned-replies.schemas.ts";

type Reply = CannedReplyRecord & { revision: number };

export const shortcutTaken = (holderId: string): AppError =>
  new AppError("conflict", "Another canned reply has this shortcut.", { field: "shortcut", canned_reply_id: holderId });

export const changeCannedReply = (
  reply: Reply,
  holder: { id: string } | undefined,
  change: CannedReplyChange,
  now: number,
): Reply | AppError =>
  holder !== undefined && holder.id !== reply.id ? shortcutTaken(holder.id) : revise(reply, change, now);
