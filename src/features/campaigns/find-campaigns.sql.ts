import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

/** As many as a person reads. */
const MAX_CAMPAIGNS = 5;
/** Messages that are looked at; a campaign sends one to a contact. */
const MAX_MESSAGES = 50;

const named = z.object({ id: z.string(), name: z.string() });

/** The campaigns among a contact's latest messages, latest first. */
export const selectCampaignsOfContact = (ctx: Ctx, contactId: string): Statement<z.infer<typeof named>> =>
  statement(
    named,
    sql`
      SELECT p.id AS id, p.name AS name FROM (
        SELECT m.campaign_id, m.id FROM contacts c CROSS JOIN messages m ON m.contact_seq = c.seq
        WHERE c.id = ${contactId} AND c.workspace_id = ${ctx.workspace.id}
        ORDER BY m.id DESC LIMIT ${MAX_MESSAGES}) sent
      CROSS JOIN campaigns p ON p.id = sent.campaign_id
      WHERE p.workspace_id = ${ctx.workspace.id} GROUP BY p.id ORDER BY max(sent.id) DESC LIMIT ${MAX_CAMPAIGNS}`,
  );
