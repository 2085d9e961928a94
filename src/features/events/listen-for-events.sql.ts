import { and, eq, lt } from "drizzle-orm";
import { eventListeners } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import type { WakeableObject } from "../../shared/wakeable-object.ts";

/**
 * Has an object woken after each batch that appends to the log of the workspace, until `until`. Writes nothing where it is woken
 * until `atLeast` already: who listens again and again writes seldom.
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

/** As good as never: the year 9999. */
const FOR_GOOD = 253_402_300_799_000;

/** Wakes an object after each batch that appends to the log, until `stopListening`. */
export const startListening = (ctx: Ctx, [kind, id]: WakeableObject) =>
  ctx.db
    .insert(eventListeners)
    .values({ workspaceId: ctx.workspace.id, kind, id, until: FOR_GOOD })
    .onConflictDoNothing();

/** Ends what `startListening` or `listenForEvents` began. */
export const stopListening = (ctx: Ctx, [kind, id]: WakeableObject) =>
  ctx.db
    .delete(eventListeners)
    .where(
      and(eq(eventListeners.workspaceId, ctx.workspace.id), eq(eventListeners.kind, kind), eq(eventListeners.id, id)),
    );
