import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { type NamedMember, storeMemberName } from "../../members/member-names.sql.ts";
import { findMember, listMembers } from "../../members/members.service.ts";
import { findMentions } from "./find-mentions.ts";
import { type NoteRecord, noteRecord } from "./notes.schemas.ts";
import { insertNote, noteAsJson } from "./notes.sql.ts";

/** The most members read to match mentions. */
const MAX_MEMBERS = 1000;

function authorOf({ actor }: Ctx): { type: "member" | "api_key"; id: string } {
  if (actor.type === "member") return { type: actor.type, id: actor.userId };
  if (actor.type === "api_key") return { type: actor.type, id: actor.id };
  throw new AppError("forbidden", "Only members and API keys can write notes.");
}

const findAuthor = async (ctx: Ctx): Promise<NamedMember | undefined> =>
  ctx.actor.type === "member" ? findMember(ctx, ctx.actor.userId) : undefined;

/** The mentioned members, and the members whose names the note needs, including its author. */
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

/** Adds an internal note, which is never sent. Throws `not_found`. */
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
