// Reactions of ours that providers took: they show on the messages they are to.
import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";

/**
 * Shows reactions, by the ids of the messages that sent them, unless a later one shows already. Repeats change nothing and tell
 * nothing.
 */
export const showReactions = (ctx: Ctx, ids: string[]): SQL[] => {
  const emoji = sql`(r.content ->> 'emoji')`;
  const reacted = sql`
    json_each(${JSON.stringify(ids)}) e CROSS JOIN messages r ON r.id = e.value AND r.workspace_id = ${ctx.workspace.id}
    CROSS JOIN messages t ON t.id = r.reply_to AND t.workspace_id = r.workspace_id
    WHERE r.type = 'reaction' AND coalesce(t.own_reaction_at, 0) <= ${ctx.now()} AND coalesce(t.own_reaction, '') <> ${emoji}`;
  const changes = sql`json_object('own_reaction', json_array(nullif(t.own_reaction, ''), nullif(${emoji}, '')))`;
  return [
    appendEvents(bySystem(ctx), sql`SELECT ${event("message.reaction", sql`t.id`, changes)} FROM ${reacted}`),
    sql`
      UPDATE messages SET own_reaction_at = ${ctx.now()},
        own_reaction = (SELECT ${emoji} FROM ${reacted} AND t.id = messages.id ORDER BY r.id DESC LIMIT 1)
      WHERE id IN (SELECT t.id FROM ${reacted})`,
  ];
};
