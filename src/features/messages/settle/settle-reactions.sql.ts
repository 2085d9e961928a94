// Reactions of ours that providers took: they show on the messages they are to.
// Raw, because an update and its event select the same rows.
import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";

const r = columns(messages, "r");
const t = columns(messages, "t");

/**
 * Shows reactions, by the ids of the messages that sent them, unless a later one shows already. Repeats change nothing and tell
 * nothing.
 */
export const showReactions = (ctx: Ctx, ids: string[]): SQL[] => {
  const emoji = sql`(${r.content} ->> 'emoji')`;
  const reacted = sql`
    json_each(${JSON.stringify(ids)}) e CROSS JOIN messages r ON ${r.id} = e.value AND ${r.workspaceId} = ${ctx.workspace.id}
    CROSS JOIN messages t ON ${t.id} = ${r.replyTo} AND ${t.workspaceId} = ${r.workspaceId}
    WHERE ${r.type} = 'reaction' AND coalesce(${t.ownReactionAt}, 0) <= ${ctx.now()} AND coalesce(${t.ownReaction}, '') <> ${emoji}`;
  const changes = sql`json_object('own_reaction', json_array(nullif(${t.ownReaction}, ''), nullif(${emoji}, '')))`;
  return [
    appendEvents(bySystem(ctx), sql`SELECT ${event("message.reaction", t.id, changes)} FROM ${reacted}`),
    sql`
      UPDATE messages SET own_reaction_at = ${ctx.now()},
        own_reaction = (SELECT ${emoji} FROM ${reacted} AND ${t.id} = messages.id ORDER BY ${r.id} DESC LIMIT 1)
      WHERE id IN (SELECT ${t.id} FROM ${reacted})`,
  ];
};
