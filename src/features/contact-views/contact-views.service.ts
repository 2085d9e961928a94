import { fetchRow, transact } from "../../db/statement.ts";
import { type Actor, actorKey, isAtLeast } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import type { CustomFieldRecord } from "../custom-fields/custom-fields.schemas.ts";
import { selectCustomFields } from "../custom-fields/custom-fields.sql.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { type ListedTag, selectTags } from "../tags/tags.sql.ts";
import { viewQuery } from "./contact-views.query.ts";
import { type NewView, type SavedView, savedViewRecord } from "./contact-views.schemas.ts";
import {
  changeableViewAsJson,
  deleteViewRow,
  insertView,
  isViewNameFree,
  renameViewRow,
  selectView,
  selectViewNameHolder,
  selectViews,
  viewAsJson,
} from "./contact-views.sql.ts";
import { nameKey } from "../../shared/folding.ts";

/** The views that a workspace may keep. */
const MAX_VIEWS = 50;
const MAX_TAGS = 500;
const MAX_FIELDS = 100;

const nameTaken = () => new AppError("conflict", "Another view has this name.", { field: "name" });
const tooMany = () =>
  new AppError("conflict", `A workspace keeps ${MAX_VIEWS} views. Delete one that is not used any more.`);

/** The one whose views an actor may change: their own, and null for admins, who may change all. */
const makerFor = (actor: Actor): string | null =>
  actor.type === "member" && isAtLeast(actor.role, "admin") ? null : actorKey(actor);

export function mayChangeView(actor: Actor, { created_by }: SavedView): boolean {
  const maker = makerFor(actor);
  return maker === null || maker === created_by;
}

interface ListParts {
  views: SavedView[];
  tags: ListedTag[];
  fields: CustomFieldRecord[];
}

/** All that the list of contacts shows around its rows: the views, and what can be filtered by and be a column. */
export async function getListParts(ctx: Ctx): Promise<ListParts> {
  const { views, tags, fields } = await transact(ctx.db, {
    views: selectViews(ctx, MAX_VIEWS),
    tags: selectTags(ctx, MAX_TAGS, undefined),
    fields: selectCustomFields(ctx, MAX_FIELDS, undefined),
  });
  return { views: views.map(({ result }) => result), tags, fields: fields.map(({ result }) => result) };
}

/** Throws `conflict` where one has the name in any spelling, and where there are `MAX_VIEWS`. */
export async function saveView(ctx: Ctx, { name, query }: NewView): Promise<SavedView> {
  const view = { id: ctx.newId("view"), name, key: nameKey(name), query: viewQuery(query), most: MAX_VIEWS };
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [insertView(ctx, view, guard)],
    result: viewAsJson(ctx, view.id),
    shape: savedViewRecord,
    facts: selectViewNameHolder(ctx, view.id, view.key),
  });
  if (result === null) throw facts.length > 0 ? nameTaken() : tooMany();
  return result;
}

/** Throws `not_found`, and `forbidden` where somebody else saved it. */
async function requireChangeableView(ctx: Ctx, id: string): Promise<void> {
  const row = await fetchRow(ctx.db, selectView(ctx, id));
  if (row === undefined) throw notFound("view");
  if (!mayChangeView(ctx.actor, row.result))
    throw new AppError("forbidden", "This is for admins, and for the one who saved the view.");
}

/** Throws `not_found`, `forbidden`, `conflict`. */
export async function renameView(ctx: Ctx, id: string, name: string): Promise<SavedView> {
  const key = nameKey(name);
  const maker = makerFor(ctx.actor);
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [renameViewRow(ctx, id, { name, key, maker }, guard)],
    result: changeableViewAsJson(ctx, id, maker, isViewNameFree(ctx, id, key)),
    shape: savedViewRecord,
  });
  if (result !== null) return result;
  await requireChangeableView(ctx, id);
  throw nameTaken();
}

/** Gives the view as it was. Throws `not_found`, `forbidden`. */
export async function deleteView(ctx: Ctx, id: string): Promise<SavedView> {
  const maker = makerFor(ctx.actor);
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [deleteViewRow(ctx, id, maker, guard)],
    result: changeableViewAsJson(ctx, id, maker),
    isAnsweredFirst: true,
    shape: savedViewRecord,
  });
  if (result !== null) return result;
  await requireChangeableView(ctx, id);
  throw notFound("view");
}
