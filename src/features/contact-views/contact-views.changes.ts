import { type Actor, actorKey, isAtLeast } from "../../shared/access/actor.ts";
import { AppError } from "../../shared/errors.ts";
import type { SavedView } from "./contact-views.schemas.ts";

export const MAX_VIEWS = 50;

export const mayChangeView = (actor: Actor, { created_by: createdBy }: Pick<SavedView, "created_by">): boolean =>
  (actor.type === "member" && isAtLeast(actor.role, "admin")) || createdBy === actorKey(actor);

const nameTaken = () => new AppError("conflict", "Another view has this name.", { field: "name" });

/**
 * `holder` is a view that already has the name. `last` is the view with the number `MAX_VIEWS`, if the workspace has
 * that many.
 */
export function findNewViewFault(holder: { id: string } | undefined, last: { id: string } | undefined) {
  if (holder !== undefined) return nameTaken();
  const message = `A workspace has at most ${MAX_VIEWS} views. Delete an unused view.`;
  return last === undefined ? null : new AppError("conflict", message);
}

export const findViewActorFault = (actor: Actor, view: SavedView): AppError | null =>
  mayChangeView(actor, view) ? null : new AppError("forbidden", "Only admins and the creator of the view can do this.");

export const renamedView = (
  actor: Actor,
  view: SavedView,
  holder: { id: string } | undefined,
  name: string,
): SavedView | AppError =>
  findViewActorFault(actor, view) ?? (holder !== undefined && holder.id !== view.id ? nameTaken() : { ...view, name });
