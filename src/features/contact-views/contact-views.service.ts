import { MAX_CUSTOM_FIELDS } from "../custom-fields/custom-fields.changes.ts";
import { transact } from "../../db/statement.ts";
import { actorKey } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { nameKey } from "../../shared/text/folding.ts";
import { changeRecord } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import type { CustomFieldRecord } from "../custom-fields/custom-fields.schemas.ts";
import { selectCustomFields } from "../custom-fields/custom-fields.sql.ts";
import { type ListedTag, selectTags } from "../tags/tags.sql.ts";
import { findNewViewFault, findViewActorFault, MAX_VIEWS, renamedView } from "./contact-views.changes.ts";
import { viewQuery, type NewView, type SavedView, savedViewRecord } from "./contact-views.schemas.ts";
import {
  deleteViewRow,
  insertView,
  selectView,
  selectViewAt,
  selectViewHolder,
  selectViews,
  updateViewRow,
} from "./contact-views.sql.ts";

const KIND = "view";
const MAX_TAGS = 500;

interface ListParts {
  views: SavedView[];
  tags: ListedTag[];
  fields: CustomFieldRecord[];
}

export const getListParts = (ctx: Ctx): Promise<ListParts> =>
  transact(ctx.db, {
    views: selectViews(ctx, MAX_VIEWS),
    tags: selectTags(ctx, MAX_TAGS, undefined),
    fields: selectCustomFields(ctx, MAX_CUSTOM_FIELDS, undefined),
  });

export function saveView(ctx: Ctx, { name, query: filters }: NewView): Promise<SavedView> {
  const [id, key, query] = [ctx.newId("view"), nameKey(name), viewQuery(filters)];
  return decideAndCommit(ctx, {
    shape: savedViewRecord,
    reads: { holders: selectViewHolder(ctx, key), last: selectViewAt(ctx, MAX_VIEWS) },
    expectsNothing: true,
    decide: ({ holders: [holder], last: [last] }) =>
      findNewViewFault(holder, last) ?? {
        writes: [insertView(ctx, { id, name, nameKey: key, query })],
        events: [],
        answer: { id, name, query, created_by: actorKey(ctx.actor) },
      },
  });
}

export function renameView(ctx: Ctx, id: string, name: string): Promise<SavedView> {
  const key = nameKey(name);
  return changeRecord(ctx, {
    kind: KIND,
    shape: savedViewRecord,
    record: selectView(ctx, id),
    reads: { holders: selectViewHolder(ctx, key) },
    decide(view, { holders: [holder] }) {
      const renamed = renamedView(ctx.actor, view, holder, name);
      if (renamed instanceof AppError) return renamed;
      return { writes: [updateViewRow(ctx, id, { name, nameKey: key })], events: [], answer: renamed };
    },
  });
}

export const deleteView = (ctx: Ctx, id: string): Promise<SavedView> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: savedViewRecord,
    record: selectView(ctx, id),
    decide: (view) =>
      findViewActorFault(ctx.actor, view) ?? { writes: [deleteViewRow(ctx, id)], events: [], answer: view },
  });
