import { fetchRow, fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { parseBody, variablesIn } from "./templates.render.ts";
import { type TemplateRecord, templateRecord } from "./templates.schemas.ts";
import {
  changedTemplateAsJson,
  deleteLocalTemplate,
  insertLocalTemplate,
  selectTemplate,
  selectTemplateObstacles,
  selectTemplates,
  templateAsJson,
  type TemplateFilter,
  type TemplateObstacles,
  updateLocalTemplate,
} from "./templates.sql.ts";

/** Newest first, one beyond `limit` where there are more. */
export async function listTemplates(ctx: Ctx, filter: TemplateFilter): Promise<TemplateRecord[]> {
  return (await fetchRows(ctx.db, selectTemplates(ctx, filter))).map(({ result }) => result);
}

/** Throws `not_found`. */
export async function getTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const row = await fetchRow(ctx.db, selectTemplate(ctx, id));
  if (row === undefined) throw notFound("template");
  return row.result;
}

const parseText = (body: string) => ({ body, variables: variablesIn(parseBody(body).parts) });

const refuseSending = (campaignId: string): AppError =>
  new AppError("conflict", "An unfinished campaign sends this template. Cancel it first, or make another template.", {
    field: "template_id",
    campaign_id: campaignId,
  });

const refuseTakenName = (templateId: string | null): AppError =>
  new AppError("conflict", "Another local template has this name.", { field: "name", template_id: templateId });

const refuseExternal = (): AppError =>
  new AppError("invalid_state", "The provider holds this template. Change it there, then sync the connection.", {
    status: "external",
  });

function explainRefusal(obstacles: TemplateObstacles | undefined): AppError {
  if (obstacles === undefined || obstacles.source === null) return notFound("template");
  const { source, nameHolderId, campaignId } = obstacles;
  if (source === "external") return refuseExternal();
  return campaignId === null ? refuseTakenName(nameHolderId) : refuseSending(campaignId);
}

/** Makes a local template, usable at once. `body` has been checked. Throws `conflict` when one has the name. */
export async function createTemplate(
  ctx: Ctx,
  { name, body }: { name: string; body: string },
): Promise<TemplateRecord> {
  const id = ctx.newId("tpl");
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => insertLocalTemplate(ctx, id, { name, ...parseText(body) }, guard),
    result: templateAsJson(ctx, id),
    shape: templateRecord,
    facts: selectTemplateObstacles(ctx, id, name),
  });
  if (result === null) throw refuseTakenName(facts[0]?.nameHolderId ?? null);
  return result;
}

/** Changes what was sent of a local template. Throws `not_found`, `conflict`, and `invalid_state` for an external one. */
export async function updateTemplate(
  ctx: Ctx,
  id: string,
  { name = null, body }: { name?: string | null | undefined; body?: string | undefined },
): Promise<TemplateRecord> {
  const change = { name, text: body === undefined ? null : parseText(body) };
  const hasChange = change.name !== null || change.text !== null;
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => (hasChange ? updateLocalTemplate(ctx, id, change, guard) : []),
    result: changedTemplateAsJson(ctx, id, name),
    shape: templateRecord,
    facts: selectTemplateObstacles(ctx, id, name),
  });
  if (result !== null) return result;
  throw explainRefusal(facts[0]);
}

/** Ends a local template; answers it as it was. Throws `not_found`, also the second time, `conflict` with a campaign, and `invalid_state` for an external one. */
export async function deleteTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => deleteLocalTemplate(ctx, id, guard),
    result: changedTemplateAsJson(ctx, id, null),
    isAnsweredFirst: true,
    shape: templateRecord,
    facts: selectTemplateObstacles(ctx, id, null),
  });
  if (result !== null) return result;
  throw explainRefusal(facts[0]);
}
