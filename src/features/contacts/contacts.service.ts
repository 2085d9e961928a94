import * as z from "zod";
import { and, eq, isNotNull, isNull, notExists, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { fetchRow, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, merged, notFound } from "../../shared/errors.ts";
import { selectContact, activeContactAsJson, contactAsJson, contactRevision } from "./contacts.sql.ts";
import { type ContactAnswer, contactAnswer } from "./contacts.schemas.ts";
import { contactMergedInto } from "./identity/identify-people.sql.ts";
import { commitOnce } from "../commits/commit-once.ts";
import { findContactConflict } from "./contacts.conflicts.ts";
import { columns } from "../../db/columns.ts";
import { contacts } from "../../db/schema/index.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";

const survivor = z.object({ id: z.string() });

/** If the contact was merged, the error contains the id of the remaining contact. */
export async function contactNotFound(ctx: Ctx, id: string): Promise<AppError> {
  const into = await fetchRow(ctx.db, statement(survivor, contactMergedInto(ctx, id)));
  return into === undefined ? notFound("contact") : merged("contact", into.id);
}

export async function getContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const row = await fetchRow(ctx.db, selectContact(ctx, id));
  if (row === undefined) throw await contactNotFound(ctx, id);
  return row.result;
}

const stored = columns(contacts, "contacts");
const column = columns(contacts);

const isContact = (ctx: Ctx, id: string) => and(eq(contacts.id, id), eq(contacts.workspaceId, ctx.workspace.id));

const other = alias(contacts, "other");

const keyHolder = ({ db }: Ctx, key: "phoneKey" | "emailKey") =>
  db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.workspaceId, contacts.workspaceId), isNull(other.archivedAt), eq(other[key], contacts[key])));

function setArchived(ctx: Ctx, isArchived: boolean, condition: SQL): SQL[] {
  const changes = JSON.stringify({ is_archived: [!isArchived, isArchived] });
  const archiving = event(isArchived ? "contact.archived" : "contact.restored", stored.id, sql`${changes}`);
  const archivedAt = isArchived ? ctx.now() : null;
  return [
    // Raw SQL, because the query builder cannot insert from this SELECT.
    appendEvents(ctx, sql`SELECT ${archiving} FROM contacts WHERE ${condition}`),
    ctx.db
      .update(contacts)
      .set({ archivedAt, updatedAt: ctx.now(), revision: sql`${column.revision} + 1` })
      .where(condition)
      .getSQL(),
  ];
}

/**
 * Selects the contacts that now have the phone or email of this archived contact. Returns no row if the contact is not
 * archived.
 */
const selectAddressHolders = (ctx: Ctx, id: string) =>
  ctx.db
    .select({
      phoneHolderId: sql<string | null>`${keyHolder(ctx, "phoneKey")}`,
      emailHolderId: sql<string | null>`${keyHolder(ctx, "emailKey")}`,
    })
    .from(contacts)
    .where(and(isContact(ctx, id), isNotNull(contacts.archivedAt)));

export async function archiveContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => setArchived(ctx, true, sql`${and(isContact(ctx, id), isNull(contacts.archivedAt), guard)}`),
    result: contactAsJson(ctx, id),
    shape: contactAnswer,
    currentRevision: contactRevision(ctx, id),
  });
  if (result === null) throw await contactNotFound(ctx, id);
  return result;
}

/** Throws `conflict` if another contact has got the phone or email in the meantime. */
export async function restoreContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const isArchived = and(isContact(ctx, id), isNotNull(contacts.archivedAt));
  const isFree = and(notExists(keyHolder(ctx, "phoneKey")), notExists(keyHolder(ctx, "emailKey")));
  const { result, explains } = await commitOnce(ctx, {
    effects: (guard) => setArchived(ctx, false, sql`${and(isArchived, isFree, guard)}`),
    result: activeContactAsJson(ctx, id),
    shape: contactAnswer,
    explains: selectAddressHolders(ctx, id),
  });
  if (result !== null) return result;
  const [holders] = explains;
  if (holders === undefined) throw await contactNotFound(ctx, id);
  const conflict = findContactConflict(id, holders);
  throw conflict ?? new Error("A contact whose phone and email are free was not restored.");
}
