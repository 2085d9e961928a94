import { and, eq, sql, type SQL } from "drizzle-orm";
import type * as z from "zod";
import { columns, insertSelect } from "../../../db/columns.ts";
import { contacts, conversations, notes, unseenMentions } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { appendEvents, changedFields, event, newFields } from "../../events/append-events.sql.ts";
import { commitOnce } from "../../commits/commit-once.ts";
import { memberName, type NamedMember, storeMemberName } from "../../members/member-names.sql.ts";
import { findMember, listMembers } from "../../members/members.service.ts";
import { findMentions } from "./find-mentions.ts";
import { type NoteRecord, noteRecord, noteRow } from "./notes.schemas.ts";

const c = columns(contacts, "c");
const n = columns(notes, "n");
const v = columns(conversations, "v");

const noteColumns = (ctx: Ctx): [name: string, value: SQL][] => [
  ["id", n.id],
  ["conversation_id", n.conversationId],
  ["contact_id", c.id],
  ["author_type", n.authorType],
  ["author_id", n.authorId],
  ["author_name", memberName(ctx, n.authorId)],
  ["body", n.body],
  [
    "mentions",
    sql`json((SELECT json_group_array(json_object('id', e.value, 'name', ${memberName(ctx, sql`e.value`)}))
      FROM json_each(${n.mentions}) e))`,
  ],
  ["created_at", n.createdAt],
];

const list = (parts: SQL[]): SQL => sql.join(parts, sql`, `);

const withContact = sql`
  CROSS JOIN conversations v ON ${v.id} = ${n.conversationId} CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}`;

export const selectNotes = (
  ctx: Ctx,
  conversationId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Statement<z.infer<typeof noteRow>> =>
  statement(
    noteRow,
    sql`
      SELECT ${list(noteColumns(ctx).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`))}
      FROM notes n ${withContact}
      WHERE ${n.conversationId} = ${conversationId} AND ${n.workspaceId} = ${ctx.workspace.id}
        ${before === undefined ? sql`` : sql`AND ${n.id} < ${before}`}
      ORDER BY ${n.id} DESC LIMIT ${limit + 1}`,
  );

export const noteAsJson = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT json_object(${list(noteColumns(ctx).map(([name, value]) => sql`'${sql.raw(name)}', ${value}`))}) AS result
  FROM notes n ${withContact} WHERE ${n.id} = ${id} AND ${n.workspaceId} = ${ctx.workspace.id}`;

interface NewNote {
  id: string;
  conversationId: string;
  author: { type: "member" | "api_key"; id: string };
  body: string;
  mentions: string[];
}

const insertUnseenMentions = (ctx: Ctx, noteId: string): SQL => sql`
  INSERT OR IGNORE INTO unseen_mentions (workspace_id, member_id, conversation_id)
  SELECT ${n.workspaceId}, e.value, ${n.conversationId} FROM notes n CROSS JOIN json_each(${n.mentions}) e
  WHERE ${n.id} = ${noteId} AND ${n.workspaceId} = ${ctx.workspace.id} AND e.value <> ${n.authorId}`;

export const clearUnseenMention = (ctx: Ctx, memberId: string, conversationId: string) =>
  ctx.db
    .delete(unseenMentions)
    .where(
      and(
        eq(unseenMentions.conversationId, conversationId),
        eq(unseenMentions.memberId, memberId),
        eq(unseenMentions.workspaceId, ctx.workspace.id),
      ),
    );

/** The event contains the mentions, but not the text of the note, because notes are internal. */
const insertNote = (ctx: Ctx, note: NewNote, guard: SQL): SQL[] => [
  insertSelect(
    notes,
    {
      id: note.id,
      workspaceId: sql`workspace_id`,
      conversationId: sql`id`,
      authorType: note.author.type,
      authorId: note.author.id,
      body: note.body,
      mentions: JSON.stringify(note.mentions),
      createdAt: ctx.now(),
    },
    sql`FROM conversations WHERE id = ${note.conversationId} AND workspace_id = ${ctx.workspace.id} AND ${guard}`,
  ),
  appendEvents(
    ctx,
    sql`
      SELECT ${event(
        "note.created",
        sql`id`,
        changedFields({
          ...newFields(["conversation_id"]),
          mentions: [sql`NULL`, sql`json(nullif(mentions, '[]'))`],
        }),
      )}
      FROM notes WHERE id = ${note.id} AND workspace_id = ${ctx.workspace.id}`,
  ),
  ...(note.mentions.length === 0 ? [] : [insertUnseenMentions(ctx, note.id)]),
];

const MAX_MEMBERS = 1000;

function authorOf({ actor }: Ctx): { type: "member" | "api_key"; id: string } {
  if (actor.type === "member") return { type: actor.type, id: actor.userId };
  if (actor.type === "api_key") return { type: actor.type, id: actor.id };
  throw new AppError("forbidden", "Only members and API keys can write notes.");
}

const findAuthor = async (ctx: Ctx): Promise<NamedMember | undefined> =>
  ctx.actor.type === "member" ? findMember(ctx, ctx.actor.userId) : undefined;

async function readMembers(ctx: Ctx, body: string, authorId: string) {
  if (!body.includes("@")) {
    const author = await findAuthor(ctx);
    return { mentioned: [], named: author === undefined ? [] : [author] };
  }
  const members = await listMembers(ctx, MAX_MEMBERS);
  const mentioned = findMentions(body, members);
  const named = members
    .filter((member) => member.user_id === authorId || mentioned.includes(member))
    .map(({ user_id: id, name }): NamedMember => ({ id, name }));
  return { mentioned: mentioned.map(({ user_id: id }) => id), named };
}

export async function addNote(ctx: Ctx, conversationId: string, body: string): Promise<NoteRecord> {
  const author = authorOf(ctx);
  const { mentioned, named } = await readMembers(ctx, body, author.id);
  const id = ctx.newId("note");
  const note = { id, conversationId, author, body, mentions: mentioned };
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [
      ...insertNote(ctx, note, guard),
      ...named.map((member) => storeMemberName(ctx, member, guard)),
    ],
    result: noteAsJson(ctx, id),
    shape: noteRecord,
  });
  if (result === null) throw await conversationNotFound(ctx, conversationId);
  return result;
}
