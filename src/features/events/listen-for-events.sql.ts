import { and, eq, lt } from "drizzle-orm";
import { eventListeners } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import type { WakeableObject } from "../../shared/wakeable-object.ts";

/**
 * Registers a Durable Object to be woken by new events until the time `until`. To save writes, leaves an existing
 * registration unchanged if it lasts until `atLeast`.
 */
export const listenForEvents = (
  ctx: Ctx,
  [kind, id]: WakeableObject,
  { atLeast, until }: { atLeast: number; until: number },
) =>
  ctx.db
    .insert(eventListeners)
    .values({ workspaceId: ctx.workspace.id, kind, id, until })
    .onConflictDoUpdate({
      target: [eventListeners.workspaceId, eventListeners.kind, eventListeners.id],
      set: { until },
      setWhere: lt(eventListeners.until, atLeast),
    });

const NO_END = 253_402_300_799_000;

export const startListening = (ctx: Ctx, [kind, id]: WakeableObject) =>
  ctx.db
    .insert(eventListeners)
    .values({ workspaceId: ctx.workspace.id, kind, id, until: NO_END })
    .onConflictDoNothing();

export const stopListening = (ctx: Ctx, [kind, id]: WakeableObject) =>
  ctx.db
    .delete(eventListeners)
    .where(
      and(eq(eventListeners.workspaceId, ctx.workspace.id), eq(eventListeners.kind, kind), eq(eventListeners.id, id)),
    );
