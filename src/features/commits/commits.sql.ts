// The rows that every commit writes: events and the replay.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { lateJson } from "../../db/late.ts";
import { eventChunks, eventOutbox, idempotency } from "../../db/schema/index.ts";
import { statement, type Statement, WAKE_COLUMN } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { eventActor, listenersOf } from "../events/append-events.sql.ts";
import type { NewEvent } from "../events/events.changes.ts";
import { nextSequence } from "../events/event-log.sql.ts";
import { utcDay } from "../idempotency/idempotency.days.ts";
import type { Attempt } from "../idempotency/idempotency.service.ts";

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

export const insertLateReplay = (ctx: Ctx, { owner, operation, once }: Attempt, answer: unknown) =>
  ctx.db.insert(idempotency).values({
    day: utcDay(ctx.now()),
    actor: owner,
    key: once.key,
    operation,
    fingerprint: once.fingerprint,
    result: lateJson(answer),
    createdAt: ctx.now(),
  });

const answerRow = z.object({ answer: z.string() });

/** The answer as JSON after all writes, which compute parts of it. */
export const selectLateAnswer = (answer: unknown): Statement<z.infer<typeof answerRow>> =>
  statement(answerRow, sql`SELECT ${lateJson(answer)} AS answer`);
