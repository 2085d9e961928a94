// Raw SQL, because each statement computes the new values from the stored values. Otherwise members who change a
// conversation at the same time would overwrite each other's changes.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, updateSet } from "../../../db/columns.ts";
import { isoTime } from "../../../db/idioms.ts";
import { conversationJoins, conversations } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { firstSpellings } from "../../../shared/text/folding.ts";
import { appendLongEvents, changeEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { type NamedMember, storeMemberName } from "../../members/member-names.sql.ts";
import { MAX_LABELS, type UndoableFields } from "../conversations.schemas.ts";
import { apiSnooze, apiStatus, unansweredSince } from "../conversations.sql.ts";
import { labelKey } from "../search/list-conversations.sql.ts";

const v = columns(conversations, "v");
const column = columns(conversations);
const join = columns(conversationJoins);

export interface ConversationChanges {
  status?: "open" | "done" | undefined;
  assignee?: NamedMember | null | undefined;
  snoozedUntil?: number | null | undefined;
  labels?: string[] | undefined;
  /** If a conversation would then have more than `MAX_LABELS` labels, its labels stay unchanged. */
  addedLabels?: string[] | undefined;
  /** A label that is also in `addedLabels` is not removed, but gets the spelling of `addedLabels`. */
  removedLabels?: string[] | undefined;
  onlyFrom?: UndoableFields;
}

function statusAfter({ status, snoozedUntil }: ConversationChanges): SQL {
  if (status === "done") return sql`'done'`;
  if (typeof snoozedUntil === "number") return sql`'snoozed'`;
  const ended =
    snoozedUntil === null ? sql`iif(${column.status} = 'snoozed', 'open', ${column.status})` : column.status;
  return status === "open" ? sql`iif(${column.status} = 'done', 'open', ${ended})` : ended;
}

function waitingAfter({ status, snoozedUntil }: ConversationChanges): SQL {
  if (status === "done") return sql`NULL`;
  const mayReopen = status === "open" || typeof snoozedUntil === "number";
  return mayReopen
    ? sql`iif(${column.status} = 'done', ${unansweredSince}, ${column.waitingSince})`
    : column.waitingSince;
}

function snoozeAfter({ status, snoozedUntil }: ConversationChanges): SQL {
  if (status === "done") return sql`NULL`;
  return snoozedUntil === undefined ? column.snoozedUntil : sql`${snoozedUntil}`;
}

type LabelColumn = "labels" | "labelKeys";

/** Of labels that differ only in case or accents, keeps the first spelling. */
function distinctLabels(labels: string[]): Record<LabelColumn, string> {
  const byKey = firstSpellings(labels, labelKey);
  return { labels: JSON.stringify([...byKey.values()]), labelKeys: JSON.stringify([...byKey.keys()]) };
}

/** Selects the new values of the column `list`. Both columns have the same order, so labels match their keys. */
function changedLabels(list: LabelColumn, { addedLabels = [], removedLabels = [] }: ConversationChanges): SQL {
  const added = distinctLabels(addedLabels);
  const removed = sql`SELECT value FROM json_each(${distinctLabels(removedLabels).labelKeys})`;
  return sql`
    SELECT b.value AS value, 0 AS part, b.key AS position
    FROM json_each(${column[list]}) b JOIN json_each(${column.labelKeys}) k ON k.key = b.key WHERE k.value NOT IN (${removed})
    UNION ALL SELECT a.value, 1, a.key FROM json_each(${added[list]}) a JOIN json_each(${added.labelKeys}) n ON n.key = a.key
    WHERE n.value NOT IN (SELECT value FROM json_each(${column.labelKeys}) WHERE value NOT IN (${removed}))`;
}

const isFull = (changes: ConversationChanges): SQL =>
  changes.addedLabels === undefined || changes.addedLabels.length === 0
    ? sql`FALSE`
    : sql`(SELECT count(*) > ${MAX_LABELS} FROM (${changedLabels("labelKeys", changes)}))`;

function labelsAfter(list: LabelColumn, changes: ConversationChanges): SQL {
  const { labels, addedLabels, removedLabels } = changes;
  const before = column[list];
  if (labels !== undefined) return sql`${distinctLabels(labels)[list]}`;
  if (addedLabels === undefined && removedLabels === undefined) return before;
  const after = sql`(SELECT json_group_array(value) FROM (${changedLabels(list, changes)} ORDER BY part, position))`;
  return sql`iif(${isFull(changes)}, ${before}, ${after})`;
}

const valuesAfter = (changes: ConversationChanges) => ({
  status: statusAfter(changes),
  snoozedUntil: snoozeAfter(changes),
  waitingSince: waitingAfter(changes),
  assigneeId: changes.assignee === undefined ? column.assigneeId : sql`${changes.assignee?.id ?? null}`,
  labels: labelsAfter("labels", changes),
});

function isUnchangedBy(changes: ConversationChanges): SQL {
  const { status, snoozedUntil, waitingSince, assigneeId, labels } = valuesAfter(changes);
  return sql`${column.status} IS ${status} AND ${column.snoozedUntil} IS ${snoozedUntil} AND ${column.waitingSince} IS ${waitingSince}
    AND ${column.assigneeId} IS ${assigneeId} AND ${column.labels} IS ${labels}`;
}

function hasFieldsBefore(ctx: Ctx, { onlyFrom = {} }: ConversationChanges): SQL {
  const { status, assignee_id: assigneeId, snoozed_until: until } = onlyFrom;
  const snooze = apiSnooze(column.snoozedUntil, ctx.now());
  return sql.join(
    [
      status === undefined ? sql`TRUE` : sql`${apiStatus(column.status)} = ${status}`,
      assigneeId === undefined ? sql`TRUE` : sql`${column.assigneeId} IS ${assigneeId}`,
      until === undefined ? sql`TRUE` : sql`${snooze} IS ${until === null ? null : Date.parse(until)}`,
    ],
    sql` AND `,
  );
}

const isChanging = (ctx: Ctx, changes: ConversationChanges): SQL =>
  sql`(NOT (${isUnchangedBy(changes)}) AND ${hasFieldsBefore(ctx, changes)})`;

const openedOrDone = sql`iif(status_after = 'open', 'conversation.opened', 'conversation.done')`;

/**
 * Must run before the changes, because it compares the stored values with the new ones. Selects at most one event per
 * type and conversation.
 */
function changedEvents(changes: ConversationChanges, from: SQL): SQL {
  const after = valuesAfter(changes);
  return eventsOf([
    sql`
      SELECT ${event(openedOrDone, column.id, sql`json_object('status', json_array(status_before, status_after))`)}
      FROM (SELECT ${column.id}, ${apiStatus(column.status)} AS status_before, ${apiStatus(after.status)} AS status_after ${from})
      WHERE status_before <> status_after`,
    changeEvents("conversation.assigned", {
      objectId: column.id,
      fields: { assignee_id: [column.assigneeId, after.assigneeId] },
      from,
    }),
    changeEvents("conversation.updated", {
      objectId: column.id,
      fields: {
        snoozed_until: [isoTime(column.snoozedUntil), isoTime(after.snoozedUntil)],
        labels: [sql`json(${column.labels})`, sql`json(${after.labels})`],
      },
      from,
    }),
  ]);
}

/** The plus sign stops SQLite from using the workspace index, which lists all conversations of the workspace. */
const isAmong = (ctx: Ctx, ids: readonly string[]): SQL =>
  sql`${column.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND +${column.workspaceId} = ${ctx.workspace.id}`;

export function changeConversationRows(
  ctx: Ctx,
  ids: readonly string[],
  changes: ConversationChanges,
  guard: SQL,
): SQL[] {
  const changing = sql`${isAmong(ctx, ids)} AND ${isChanging(ctx, changes)} AND ${guard}`;
  const values = { ...valuesAfter(changes), labelKeys: labelsAfter("labelKeys", changes) };
  const { assignee } = changes;
  return [
    appendLongEvents(ctx, changedEvents(changes, sql`FROM conversations WHERE ${changing}`)),
    ...(assignee === undefined || assignee === null ? [] : [storeMemberName(ctx, assignee, guard)]),
    updateSet(conversations, values, sql`WHERE ${changing}`),
  ];
}

export const changedConversations = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      is_found: z.number(),
      is_changed: z.number(),
      is_full: z.number().default(0), // replays from earlier versions do not have this field
      merged_into: z.string().nullable(),
    }),
  ),
});

/**
 * Must run before the changes, because it compares the stored values with the new ones. The conversations are in the
 * order of `ids`.
 */
export const changedConversationsAsJson = (ctx: Ctx, ids: readonly string[], changes: ConversationChanges): SQL => sql`
  SELECT json_object('conversations', json_group_array(json_object('id', e.value, 'is_found', ${v.id} IS NOT NULL,
    'is_changed', coalesce(v.is_changed, 0), 'is_full', coalesce(v.is_full, 0), 'merged_into', (
      SELECT ${join.intoId} FROM conversation_joins WHERE ${join.fromId} = e.value AND ${join.workspaceId} = ${ctx.workspace.id})))) AS result
  FROM json_each(${JSON.stringify(ids)}) e
  LEFT JOIN (SELECT ${column.id}, ${column.workspaceId}, ${isChanging(ctx, changes)} AS is_changed, ${isFull(changes)} AS is_full FROM conversations) v
    ON ${v.id} = e.value AND ${v.workspaceId} = ${ctx.workspace.id}`;
