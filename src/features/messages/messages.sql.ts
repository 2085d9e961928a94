import { sql } from "drizzle-orm";
import * as z from "zod";
import { bool, fetchRow, type SQL, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { currentContactSeq } from "../contacts/identify-people.sql.ts";
import { isLeftUnsent } from "./campaign-messages.sql.ts";
import { state } from "./messages.states.ts";

/** True in SQL for a campaign's message `m` that was not sent and never will be. No call shows it. */
export const isNeverSent = sql`(m.campaign_id IS NOT NULL AND (m.state = ${state.skipped} OR m.state = ${state.queued}
  AND EXISTS (SELECT 1 FROM campaigns g WHERE g.id = m.campaign_id AND ${isLeftUnsent(sql`g`)})))`;

export const messageRecord = z.object({
  id: z.string(),
  conversation_id: z.string().nullable(),
  contact_id: z.string(),
  campaign_id: z.string().nullable(),
  template_id: z.string().nullable(),
  to: z.string(),
  body: z.string(),
  from_contact: bool,
  state: z.number(),
  provider_message_id: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  provider_code: z.string().nullable(),
  created_at: z.number(),
  sent_at: z.number().nullable(),
  delivered_at: z.number().nullable(),
  read_at: z.number().nullable(),
  failed_at: z.number().nullable(),
  billable: bool.nullable(),
  price_category: z.string().nullable(),
  price_type: z.string().nullable(),
  edited_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  versions: fromJson(z.array(z.object({ body: z.string(), written_at: z.number() }))),
});

export type MessageRecord = z.infer<typeof messageRecord>;

/** Columns that are not simply those of the same name of message `m`, contact `c` and conversation `v`. */
const computedColumns: Partial<Record<string, SQL>> = {
  conversation_id: sql`v.id`,
  contact_id: sql`c.id`,
  to: sql`m.address`,
  // An inbound message is read once its conversation was marked read.
  state: sql`iif(m.from_contact AND m.id <= v.read_up_to, ${state.read}, m.state)`,
  // Most messages were never changed: their versions are not looked up.
  versions: sql`iif(m.edited_at IS NULL AND m.revoked_at IS NULL, '[]', (
    SELECT json_group_array(json_object('body', body, 'written_at', written_at)) FROM (
      SELECT body, written_at FROM message_versions w WHERE w.message_id = m.id ORDER BY written_at, id)))`,
};

/** Selects the columns of a record like `messageRecord`, or of some of its columns. */
export const messageColumns = (record: z.ZodObject): SQL =>
  sql.join(
    Object.keys(record.shape).map((name) => {
      const column = sql.identifier(name);
      return sql`${computedColumns[name] ?? sql`m.${column}`} AS ${column}`;
    }),
    sql`, `,
  );

const columns = messageColumns(messageRecord);

export const findMessage = (ctx: Ctx, id: string): Promise<MessageRecord | undefined> =>
  fetchRow(
    ctx.db,
    statement(
      messageRecord,
      sql`
        SELECT ${columns} FROM messages m CROSS JOIN contacts c ON c.seq = ${currentContactSeq(sql`m.contact_seq`)}
        LEFT JOIN conversations v ON v.contact_seq = c.seq AND v.connection_id = m.connection_id
        WHERE m.id = ${id} AND m.workspace_id = ${ctx.workspace.id} AND NOT ${isNeverSent}`,
    ),
  );
