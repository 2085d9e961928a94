import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { type NamedMember, storeMemberName } from "../../members/member-names.sql.ts";
import { findMember, listMembers } from "../../members/members.service.ts";
import { findMentions } from "./find-mentions.ts";
import { type NoteRecord, noteRecord } from "./notes.schemas.ts";
import { insertNote, noteAsJson } from "./notes.sql.ts";

/** So many members a note can mention: of more, the first. */
const MAX_MEMBERS = 1000;

function authorOf({ actor }: Ctx): { type: "member" | "api_key"; id: string } {
  if (actor.type === "member") return { type: actor.type, id: actor.userId };
  if (actor.type === "api_key") return { type: actor.type, id: actor.id };
  throw new AppError("forbidden", "Members and API keys write notes.");
}

/** The members whose names a note needs: those it may mention, and its author. */
async function readMembers(ctx: Ctx, body: string): Promise<NamedMember[]> {
  if (body.includes("@")) return (await listMembers(ctx, MAX_MEMBERS)).map(({ user_id: id, name }) => ({ id, name }));
  const author = ctx.actor.type === "member" ? await findMember(ctx, ctx.actor.userId) : undefined;
  return author === undefined ? [] : [author];
}

/** Adds a note to a conversation: for members and software, never sent. Throws `not_found`. */
export async function addNote(ctx: Ctx, conversationId: string, body: string): Promise<NoteRecord> {
  const author = authorOf(ctx);
  const members = await readMembers(ctx, body);
  const mentioned = findMentions(body, members);
  const named = members.filter((member) => member.id === author.id || mentioned.includes(member));
  const id = ctx.newId("note");
  const note = { id, conversationId, author, body, mentions: mentioned.map((member) => member.id) };
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
