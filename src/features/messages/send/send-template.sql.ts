// Selects the person that a template is for. Raw, because contacts are selected as JSON.
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { connections, contacts } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactLayout, contactRecord } from "../../contacts/contacts.schemas.ts";
import { contactJson, contactLayoutJson } from "../../contacts/contacts.sql.ts";
import { seqByPhone } from "../../contacts/identity/identify-people.sql.ts";
import { seqByUserId } from "./send-target.sql.ts";

const c = columns(contacts, "c");

export const selectSeqByPhone = (ctx: Ctx, phoneKey: string): SQL => sql`SELECT ${seqByPhone(ctx, phoneKey)} AS seq`;

export const selectSeqByUserId = (ctx: Ctx, connectionId: string, userId: string): SQL =>
  sql`SELECT ${seqByUserId(ctx, connectionId, userId)} AS seq`;

export const selectSeqByContact = (ctx: Ctx, contactId: string): SQL =>
  sql`SELECT seq FROM contacts WHERE id = ${contactId} AND workspace_id = ${ctx.workspace.id}`;

export const selectSeqByConversation = (ctx: Ctx, conversationId: string): SQL =>
  sql`SELECT contact_seq AS seq FROM conversations WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}`;

const templateRecipient = z.object({ contact: fromJson(contactRecord).nullable(), layout: fromJson(contactLayout) });

export type TemplateRecipient = z.infer<typeof templateRecipient>;

/** The contact with the selected `seq`; null for a person without a contact. */
export const selectTemplateRecipient = (ctx: Ctx, seq: SQL): Statement<TemplateRecipient> =>
  statement(
    templateRecipient,
    sql`
      SELECT (SELECT ${contactJson(ctx)} FROM contacts c WHERE ${c.seq} = known.seq) AS contact, ${contactLayoutJson(ctx)} AS layout
      FROM (${seq}) known`,
  );

export const selectConnectionChannel = (ctx: Ctx, connectionId: string) =>
  ctx.db
    .select({ channel: connections.channel })
    .from(connections)
    .where(and(eq(connections.id, connectionId), eq(connections.workspaceId, ctx.workspace.id)));
