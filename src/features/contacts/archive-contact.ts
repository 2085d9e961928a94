import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { findContactConflict } from "./contacts.conflicts.ts";
import { contactAnswer, type ContactAnswer } from "./contacts.schemas.ts";
import { contactNotFound } from "./contacts.service.ts";
import { activeContactAsJson, contactAsJson, contactRevision } from "./contacts.sql.ts";
import { contacts } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import type { EventType } from "../events/events.types.ts";

const isContact = (ctx: Ctx, id: string) => and(eq(contacts.id, id), eq(contacts.workspaceId, ctx.workspace.id));

const isArchivable = (ctx: Ctx, id: string, guard: SQL) =>
  sql`${and(isContact(ctx, id), isNull(contacts.archivedAt), guard)}`;

/** Archives an active contact, and appends the event. */
const markContactArchived = (ctx: Ctx, id: string, guard: SQL): SQL[] => [
  appendArchiving(ctx, "contact.archived", [false, true], isArchivable(ctx, id, guard)),
  ctx.db
    .update(contacts)
    .set({ archivedAt: ctx.now(), updatedAt: ctx.now(), revision: sql`revision + 1` })
    .where(isArchivable(ctx, id, guard))
    .getSQL(),
];

const appendArchiving = (ctx: Ctx, type: EventType, isArchived: [boolean, boolean], condition: SQL): SQL =>
  appendEvents(
    ctx,
    sql`SELECT ${event(type, sql`contacts.id`, sql`${JSON.stringify({ is_archived: isArchived })}`)} FROM contacts WHERE ${condition}`,
  );

/** The active contact with the same key as the row of `contacts` that is read or changed. */
const keyHolder = (key: "phone_key" | "email_key"): SQL => sql`
  SELECT id FROM contacts AS other WHERE other.workspace_id = contacts.workspace_id AND other.archived_at IS NULL
  AND other.${sql.identifier(key)} = contacts.${sql.identifier(key)}`;

const isRestorable = (ctx: Ctx, id: string, guard: SQL) =>
  sql`${and(
    isContact(ctx, id),
    isNotNull(contacts.archivedAt),
    sql`NOT EXISTS (${keyHolder("phone_key")}) AND NOT EXISTS (${keyHolder("email_key")})`,
    guard,
  )}`;

/** Restores an archived contact, unless its phone or email has been taken since, and appends the event. */
const markContactRestored = (ctx: Ctx, id: string, guard: SQL): SQL[] => [
  appendArchiving(ctx, "contact.restored", [true, false], isRestorable(ctx, id, guard)),
  ctx.db
    .update(contacts)
    .set({ archivedAt: null, updatedAt: ctx.now(), revision: sql`revision + 1` })
    .where(isRestorable(ctx, id, guard))
    .getSQL(),
];

const addressHolders = z.object({ phone_holder_id: z.string().nullable(), email_holder_id: z.string().nullable() });

/** The active contacts that have the phone and the email of an archived contact; no row where it is not archived. */
const selectAddressHolders = (ctx: Ctx, id: string): Statement<z.infer<typeof addressHolders>> =>
  statement(
    addressHolders,
    sql`
      SELECT (${keyHolder("phone_key")}) AS phone_holder_id, (${keyHolder("email_key")}) AS email_holder_id
      FROM contacts WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND archived_at IS NOT NULL`,
  );

/** Hides a contact from lists and campaigns; its history stays. An archived contact stays archived. Throws `not_found`. */
export async function archiveContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => markContactArchived(ctx, id, guard),
    result: contactAsJson(ctx, id),
    shape: contactAnswer,
    currentRevision: contactRevision(ctx, id),
  });
  if (result === null) throw await contactNotFound(ctx, id);
  return result;
}

/** Makes an archived contact active again. Throws `not_found`, and `conflict` if its phone or email has been taken since. */
export async function restoreContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => markContactRestored(ctx, id, guard),
    result: activeContactAsJson(ctx, id),
    shape: contactAnswer,
    facts: selectAddressHolders(ctx, id),
  });
  if (result !== null) return result;
  const [holders] = facts;
  if (holders === undefined) throw await contactNotFound(ctx, id);
  const { phone_holder_id: phoneHolderId, email_holder_id: emailHolderId } = holders;
  const conflict = findContactConflict(id, { phoneHolderId, emailHolderId });
  throw conflict ?? new Error("A contact whose phone and email are free was not restored.");
}
