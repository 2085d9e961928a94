import { sql } from "drizzle-orm";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { layoutJson } from "../../contacts/contacts.sql.ts";
import { recallQuery } from "../../idempotency/idempotency.service.ts";
import { tagsByKeys } from "../../tags/tags.sql.ts";
import { sendableQuery } from "../../templates/templates.service.ts";

interface Ask {
  templateId: string;
  channel: string;
  /** The key's, null where the caller has none. */
  connectionId: string | null;
  tagKeys: string[];
  segment: SQL;
}

/** All that a campaign is judged by before anybody is counted, in one trip. */
export async function read(ctx: Ctx, { templateId, channel, connectionId, tagKeys, segment }: Ask) {
  const [record, template, connections, tags, segments, layout] = await batch(ctx.db, [
    recallQuery(ctx),
    sendableQuery(ctx, templateId),
    sql`
      SELECT id, status FROM connections
      WHERE workspace_id = ${ctx.workspace.id} AND channel = ${channel} AND deleted_at IS NULL AND (id = ${connectionId} OR is_default)
      ORDER BY id = ${connectionId} DESC`,
    tagsByKeys(ctx, tagKeys),
    segment,
    sql`SELECT ${layoutJson(ctx)} AS layout`,
  ]);
  return { record, template, connections, tags, segments, layout };
}
