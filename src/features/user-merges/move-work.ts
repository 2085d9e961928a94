import { transact } from "../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { log } from "../../shared/logger.ts";
import { moveViews } from "../contact-views/contact-views.sql.ts";
import {
  assignedConversations,
  reassignRows,
  selectAnyAssigned,
} from "../conversations/team/reassign-conversations.ts";
import { deleteMemberName, storeMemberName } from "../members/member-names.sql.ts";
import { deleteUserMerge, selectUserMerges, updateUserMerge, type UserMerge } from "../members/access/users.sql.ts";
import {
  type AuthorMove,
  moveAuthor,
  moveMentions,
  moveUnseenMentions,
  selectPartEnd,
  type TablePart,
} from "../messages/move-authors.sql.ts";

const MERGES_PER_RUN = 10;
const CONVERSATIONS_PER_RUN = 500;
const ROWS_PER_STEP = 2000;
const STEPS_PER_RUN = 10;
/**
 * Requests that the merged user sent before the merge can still write rows. We move authors only after this time, when
 * these requests have ended.
 */
const REQUESTS_END_MS = MINUTE_MS;

/**
 * The first run moves conversations, mentions and views, because members notice these first. A later run, at least a
 * minute after the merge, moves the authors of messages and notes.
 */
export async function moveWorkOfMergedUsers(base: BaseCtx): Promise<void> {
  for (const merge of await selectUserMerges(base, MERGES_PER_RUN)) {
    const workspace = { id: merge.workspaceId, number: merge.workspaceNumber, shard: merge.shard };
    try {
      await moveWork(forWorkspace(base, workspace), merge);
    } catch (error) {
      log.error("merged_user_not_moved", { workspaceId: workspace.id, userId: merge.fromId, error });
    }
  }
}

async function moveWork(ctx: Ctx, merge: UserMerge): Promise<void> {
  const { fromId, intoId, intoName: name } = merge;
  const assigned = assignedConversations(ctx.workspace.id, fromId, CONVERSATIONS_PER_RUN);
  const { left } = await transact(ctx.db, {
    name: storeMemberName(ctx, { id: intoId, name }),
    assigned: reassignRows(ctx.db, assigned, intoId, ctx.now()),
    mentions: moveUnseenMentions(ctx, { fromId, intoId }),
    views: moveViews(ctx, fromId, intoId),
    left: selectAnyAssigned(ctx.workspace.id, fromId),
  });
  if (left.length > 0 || ctx.now() < merge.mergedAt + REQUESTS_END_MS) return;
  const moved = await moveAuthors(ctx, merge);
  if (moved.notesBefore !== "" || moved.messagesBefore !== "") return updateUserMerge(ctx, moved);
  await deleteMemberName(ctx, fromId);
  await deleteUserMerge(ctx, merge);
}

async function moveAuthors(ctx: Ctx, merge: UserMerge): Promise<UserMerge> {
  const move: AuthorMove = { fromId: merge.fromId, intoId: merge.intoId };
  let { notesBefore, messagesBefore } = merge;
  for (let step = 0; step < STEPS_PER_RUN && (notesBefore !== "" || messagesBefore !== ""); step++) {
    const notes: TablePart = { table: "notes", before: notesBefore, limit: ROWS_PER_STEP };
    const messages: TablePart = { table: "messages", before: messagesBefore, limit: ROWS_PER_STEP };
    const ends = await transact(ctx.db, {
      authors: [moveAuthor(ctx, move, notes), moveMentions(ctx, move, notes), moveAuthor(ctx, move, messages)],
      notes: selectPartEnd(ctx, move, notes),
      messages: selectPartEnd(ctx, move, messages),
    });
    notesBefore = ends.notes[0]?.before ?? "";
    messagesBefore = ends.messages[0]?.before ?? "";
  }
  return { ...merge, notesBefore, messagesBefore };
}
