import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { isoTime } from "../../../db/idioms.ts";
import { conversationJoins, conversations } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { firstSpellings } from "../../../shared/text/folding.ts";
import { appendLongEvents, changeEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { type NamedMember, storeMemberName } from "../../members/member-names.sql.ts";
import { MAX_LABELS, type UndoableFields } from "../conversations.schemas.ts";
import { shownSnooze, shownStatus, unansweredSince } from "../conversations.sql.ts";
import { labelKey } from "../search/list-conversations.sql.ts";

const v = columns(conversations, "v");
const column = columns(conversations);
const join = columns(conversationJoins);

/** Omitted fields stay. */
export interface ConversationChanges {
  status?: "open" | "done" | undefined;
  /** Null to unassign. */
  assignee?: NamedMember | null | undefined;
  /** ms since the epoch. Null ends a snooze. */
  snoozedUntil?: number | null | undefined;
  labels?: string[] | undefined;
  /**
   * Added to the current labels, including those that others add concurrently. A conversation whose labels would exceed the limit
   * stays unchanged.
   */
  addedLabels?: string[] | undefined;
  /** A label that is both removed and added gets its new spelling. */
  removedLabels?: string[] | undefined;
  /** Only conversations with these values change. */
  onlyFrom?: UndoableFields;
}

/** In SQL: the new stored status. Snoozing opens a done conversation; marking as done ends its snooze. */
function statusAfter({ status, snoozedUntil }: ConversationChanges): SQL {
  if (status === "done") return sql`'done'`;
  if (typeof snoozedUntil === "number") return sql`'snoozed'`;
  const ended =
    snoozedUntil === null ? sql`iif(${column.status} = 'snoozed', 'open', ${column.status})` : column.status;
  return status === "open" ? sql`iif(${column.status} = 'done', 'open', ${ended})` : ended;
}

/** In SQL: the new `waiting_since`. A done conversation stops waiting; a reopened one waits again. */
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

/** The labels and their keys, without those that differ from an earlier label only in case or accents. */
function distinctLabels(labels: string[]): { labels: string; label_keys: string } {
  const byKey = firstSpellings(labels, labelKey);
  return { labels: JSON.stringify([...byKey.values()]), label_keys: JSON.stringify([...byKey.keys()]) };
}

/** In SQL: the rows of `labels` or `label_keys` after removing and adding. Both lists have the same order. */
function changedLabels(
  list: "labels" | "label_keys",
  { addedLabels = [], removedLabels = [] }: ConversationChanges,
): SQL {
  const added = distinctLabels(addedLabels);
  const removed = sql`SELECT value FROM json_each(${distinctLabels(removedLabels).label_keys})`;
  return sql`
    SELECT b.value AS value, 0 AS part, b.key AS place
    FROM json_each(${sql.identifier(list)}) b JOIN json_each(${column.labelKeys}) k ON k.key = b.key WHERE k.value NOT IN (${removed})
    UNION ALL SELECT a.value, 1, a.key FROM json_each(${added[list]}) a JOIN json_each(${added.label_keys}) n ON n.key = a.key
    WHERE n.value NOT IN (SELECT value FROM json_each(${column.labelKeys}) WHERE value NOT IN (${removed}))`;
}

/** True in SQL for a conversation whose added labels would exceed the limit. */
const isFull = (changes: ConversationChanges): SQL =>
  changes.addedLabels === undefined || changes.addedLabels.length === 0
    ? sql`FALSE`
    : sql`(SELECT count(*) > ${MAX_LABELS} FROM (${changedLabels("label_keys", changes)}))`;

function labelsAfter(list: "labels" | "label_keys", changes: ConversationChanges): SQL {
  const { labels, addedLabels, removedLabels } = changes;
  const before = sql`${sql.identifier(list)}`;
  if (labels !== undefined) return sql`${distinctLabels(labels)[list]}`;
  if (addedLabels === undefined && removedLabels === undefined) return before;
  const after = sql`(SELECT json_group_array(value) FROM (${changedLabels(list, changes)} ORDER BY part, place))`;
  return sql`iif(${isFull(changes)}, ${before}, ${after})`;
}

function columnsAfter(changes: ConversationChanges): [name: string, value: SQL][] {
  const { assignee } = changes;
  return [
    ["status", statusAfter(changes)],
    ["snoozed_until", snoozeAfter(changes)],
    ["waiting_since", waitingAfter(changes)],
    ["assignee_id", assignee === undefined ? column.assigneeId : sql`${assignee?.id ?? null}`],
    ["labels", labelsAfter("labels", changes)],
    ["label_keys", labelsAfter("label_keys", changes)],
  ];
}

/** True in SQL for a conversation that already has all new values. */
const isUnchangedBy = (changes: ConversationChanges): SQL =>
  sql.join(
    columnsAfter(changes)
      .filter(([name]) => name !== "label_keys") // determined by the labels
      .map(([name, value]) => sql`${sql.identifier(name)} IS ${value}`),
    sql` AND `,
  );

/** Compares API values: a snooze that is over is null. */
function hasFieldsBefore(ctx: Ctx, { onlyFrom = {} }: ConversationChanges): SQL {
  const { status, assignee_id: assigneeId, snoozed_until: until } = onlyFrom;
  const snooze = shownSnooze(column.snoozedUntil, ctx.now());
  return sql.join(
    [
      status === undefined ? sql`TRUE` : sql`${shownStatus(column.status)} = ${status}`,
      assigneeId === undefined ? sql`TRUE` : sql`${column.assigneeId} IS ${assigneeId}`,
      until === undefined ? sql`TRUE` : sql`${snooze} IS ${until === null ? null : Date.parse(until)}`,
    ],
    sql` AND `,
  );
}

const isChanging = (ctx: Ctx, changes: ConversationChanges): SQL =>
  sql`(NOT (${isUnchangedBy(changes)}) AND ${hasFieldsBefore(ctx, changes)})`;

const openedOrDone = sql`iif(shown_after = 'open', 'conversation.opened', 'conversation.done')`;

/** The events of the conversations in `from` (`FROM … WHERE …`), before `changes`: at most one of each kind. */
function changedEvents(changes: ConversationChanges, from: SQL): SQL {
  const after = new Map(columnsAfter(changes));
  const valueAfter = (name: string): SQL => after.get(name) ?? sql`${sql.identifier(name)}`;
  return eventsOf([
    sql`
      SELECT ${event(openedOrDone, column.id, sql`json_object('status', json_array(shown, shown_after))`)}
      FROM (SELECT ${column.id}, ${shownStatus(column.status)} AS shown, ${shownStatus(valueAfter("status"))} AS shown_after ${from})
      WHERE shown <> shown_after`,
    changeEvents("conversation.assigned", {
      objectId: column.id,
      fields: { assignee_id: [column.assigneeId, valueAfter("assignee_id")] },
      from,
    }),
    changeEvents("conversation.updated", {
      objectId: column.id,
      fields: {
        snoozed_until: [isoTime(column.snoozedUntil), isoTime(valueAfter("snoozed_until"))],
        labels: [sql`json(${column.labels})`, sql`json(${valueAfter("labels")})`],
      },
      from,
    }),
  ]);
}

/** True in SQL for the workspace's conversations with these ids. The plus keeps SQLite from using the workspace index. */
const isOneOf = (ctx: Ctx, ids: readonly string[]): SQL =>
  sql`${column.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND +${column.workspaceId} = ${ctx.workspace.id}`;

/** Changes conversations and appends their events if `guard` holds. Writes nothing for unchanged ones. */
export function changeConversationRows(
  ctx: Ctx,
  ids: readonly string[],
  changes: ConversationChanges,
  guard: SQL,
): SQL[] {
  const changing = sql`${isOneOf(ctx, ids)} AND ${isChanging(ctx, changes)} AND ${guard}`;
  const assignments = columnsAfter(changes).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`);
  const { assignee } = changes;
  return [
    appendLongEvents(ctx, changedEvents(changes, sql`FROM conversations WHERE ${changing}`)),
    ...(assignee === undefined || assignee === null ? [] : [storeMemberName(ctx, assignee, guard)]),
    sql`UPDATE conversations SET ${sql.join(assignments, sql`, `)} WHERE ${changing}`,
  ];
}

export const changedConversations = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      is_found: z.number(),
      is_changed: z.number(),
      is_full: z.number().default(0), // missing in replays of earlier versions
      merged_into: z.string().nullable(),
    }),
  ),
});

/** One row, before the changes: for each id, in order, whether the conversation exists, will change, and is full. */
export const changedConversationsAsJson = (ctx: Ctx, ids: readonly string[], changes: ConversationChanges): SQL => sql`
  SELECT json_object('conversations', json_group_array(json_object('id', e.value, 'is_found', ${v.id} IS NOT NULL,
    'is_changed', coalesce(v.is_changed, 0), 'is_full', coalesce(v.is_full, 0), 'merged_into', (
      SELECT ${join.intoId} FROM conversation_joins WHERE ${join.fromId} = e.value AND ${join.workspaceId} = ${ctx.workspace.id})))) AS result
  FROM json_each(${JSON.stringify(ids)}) e
  LEFT JOIN (SELECT ${column.id}, ${column.workspaceId}, ${isChanging(ctx, changes)} AS is_changed, ${isFull(changes)} AS is_full FROM conversations) v
    ON ${v.id} = e.value AND ${v.workspaceId} = ${ctx.workspace.id}`;
