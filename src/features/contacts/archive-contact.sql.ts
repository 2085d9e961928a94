import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { contacts } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

const isContact = (ctx: Ctx, id: string) => and(eq(contacts.id, id), eq(contacts.workspaceId, ctx.workspace.id));

export const markContactArchived = (ctx: Ctx, id: string, guard: SQL): SQL =>
  ctx.db
    .update(contacts)
    .set({ archivedAt: ctx.now(), updatedAt: ctx.now() })
    .where(and(isContact(ctx, id), isNull(contacts.archivedAt), guard))
    .getSQL();

/** The active contact with the same key as the row of `contacts` that is read or changed. */
const keyHolder = (key: "phone_key" | "email_key"): SQL => sql`
  SELECT id FROM contacts AS other WHERE other.workspace_id = contacts.workspace_id AND other.archived_at IS NULL
  AND other.${sql.identifier(key)} = contacts.${sql.identifier(key)}`;

/** Restores an archived contact, unless its phone or email has been taken since. */
export const markContactRestored = (ctx: Ctx, id: string, guard: SQL): SQL =>
  ctx.db
    .update(contacts)
    .set({ archivedAt: null, updatedAt: ctx.now() })
    .where(
      and(
        isContact(ctx, id),
        isNotNull(contacts.archivedAt),
        sql`NOT EXISTS (${keyHolder("phone_key")}) AND NOT EXISTS (${keyHolder("email_key")})`,
        guard,
      ),
    )
    .getSQL();

const addressHolders = z.object({ phone_holder_id: z.string().nullable(), email_holder_id: z.string().nullable() });

/** The active contacts that have the phone and the email of an archived contact; no row where it is not archived. */
export const selectAddressHolders = (ctx: Ctx, id: string): Statement<z.infer<typeof addressHolders>> =>
  statement(
    addressHolders,
    sql`
      SELECT (${keyHolder("phone_key")}) AS phone_holder_id, (${keyHolder("email_key")}) AS email_holder_id
      FROM contacts WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND archived_at IS NOT NULL`,
  );
