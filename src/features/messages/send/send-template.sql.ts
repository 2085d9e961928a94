import { sql } from "drizzle-orm";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { contactJson, layoutJson, seqByPhone } from "../../contacts/contacts.sql.ts";
import { recallQuery } from "../../idempotency/idempotency.service.ts";
import { sendableQuery } from "../../templates/templates.service.ts";

interface Ask {
  templateId: string;
  connectionId: string;
  /** Selects the contact's number as `seq`, null for somebody new. */
  who: SQL;
}

export const whoHasPhone = (ctx: Ctx, phoneKey: string): SQL => sql`SELECT ${seqByPhone(ctx, phoneKey)} AS seq`;

export const whoIsIn = (ctx: Ctx, conversationId: string): SQL =>
  sql`SELECT contact_seq AS seq FROM conversations WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}`;

/** All that a template is filled in from and judged by, in one trip. `person` is one row, its `contact` null for somebody new. */
export async function read(ctx: Ctx, { templateId, connectionId, who }: Ask) {
  const [template, connection, person, record] = await batch(ctx.db, [
    sendableQuery(ctx, templateId),
    sql`SELECT channel FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id}`,
    sql`
      SELECT (SELECT ${contactJson(ctx)} FROM contacts c WHERE c.seq = who.seq) AS contact, ${layoutJson(ctx)} AS layout
      FROM (${who}) who`,
    recallQuery(ctx),
  ]);
  return { template, connection, person, record };
}
