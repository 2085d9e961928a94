import { sql } from "drizzle-orm";
import { lateJson } from "../../db/late.ts";
import { eventChunks, eventOutbox } from "../../db/schema/index.ts";
import { WAKE_COLUMN } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { eventActor, listenersOf } from "./append-events.sql.ts";
import { nextSequence } from "./event-log.sql.ts";
import type { NewEvent } from "./events.changes.ts";

/** For batches that are built with the query builder. Raw SQL uses `appendEvents`. */
export function insertEvents(ctx: Ctx, events: readonly NewEvent[]) {
  const workspaceId = ctx.workspace.id;
  const actor = eventActor(ctx.actor);
  return ctx.db
    .insert(eventChunks)
    .values({
      workspaceId,
      first: nextSequence(sql`${workspaceId}`),
      count: events.length,
      at: ctx.now(),
      actorType: actor.type,
      actorId: actor.id,
      body: lateJson(events.map(({ type, id, changes = null }) => [type, id, changes])),
    })
    .returning({
      listeners: listenersOf(sql`${workspaceId}`, ctx.now()).as(WAKE_COLUMN),
    });
}

export function insertOutboxEvents(ctx: Ctx, events: readonly NewEvent[]) {
  const actor = eventActor(ctx.actor);
  return ctx.control.insert(eventOutbox).values(
    events.map(({ type, id, changes }) => ({
      id: ctx.newId("evo"),
      workspaceId: ctx.workspace.id,
      at: ctx.now(),
      actorType: actor.type,
      actorId: actor.id,
      type,
      objectId: id,
      changes: changes === undefined ? null : JSON.stringify(changes),
    })),
  );
}
