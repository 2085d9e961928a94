import { fetchRow, fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, type Fault, invalid, notFound } from "../../shared/errors.ts";
import { hasOwn } from "../../shared/own.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { changeExternalTemplate, deleteExternalTemplate, refuseSending } from "./change-external-template.ts";
import { submitTemplate } from "./submit-template.ts";
import { parseBody, variablesIn } from "./templates.render.ts";
import { type NewTemplate, type TemplatePatch, type TemplateRecord, templateRecord } from "./templates.schemas.ts";
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
  templateRevision,
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

const parseText = (body: string) => ({ body, variables: variablesIn(parseBody(body).pieces) });

const refuseTakenLocalName = (templateId: string | null): AppError =>
  new AppError("conflict", "Another local template has this name.", { field: "name", template_id: templateId });

const externalFault = (path: string): Fault => ({
  path,
  code: "unknown_field",
  message: "The provider holds this template. Its category and components can be changed.",
});

/** The refusal of what a local template cannot take, or cannot take now. */
function explainRefusal({ source, nameHolderId, campaignId }: TemplateObstacles): AppError {
  if (source === null) return notFound("template");
  return campaignId === null ? refuseTakenLocalName(nameHolderId) : refuseSending(campaignId);
}

/** Makes a local template, usable at once. `body` has been checked. Throws `conflict` when one has the name. */
async function createLocal(ctx: Ctx, { name, body }: { name: string; body: string }): Promise<TemplateRecord> {
  const id = ctx.newId("tpl");
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => insertLocalTemplate(ctx, id, { name, ...parseText(body) }, guard),
    result: templateAsJson(ctx, id),
    shape: templateRecord,
    facts: selectTemplateObstacles(ctx, id, name),
  });
  if (result === null) throw refuseTakenLocalName(facts[0]?.nameHolderId ?? null);
  return result;
}

/** Makes a local template, which throws `conflict` where one has the name, or submits one, see `submitTemplate`. */
export const createTemplate = (ctx: Ctx, input: NewTemplate): Promise<TemplateRecord> =>
  hasOwn(input, "body") ? createLocal(ctx, input) : submitTemplate(ctx, input);

/** Changes what was sent of a local template; null where the provider holds it. */
async function updateLocal(ctx: Ctx, id: string, { name, body }: TemplatePatch): Promise<TemplateRecord | null> {
  const change = { name: name ?? null, text: body === undefined ? null : parseText(body) };
  const hasChange = change.name !== null || change.text !== null;
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => (hasChange ? updateLocalTemplate(ctx, id, change, guard) : []),
    currentRevision: templateRevision(ctx, id),
    result: changedTemplateAsJson(ctx, id, change.name),
    shape: templateRecord,
    facts: selectTemplateObstacles(ctx, id, change.name),
  });
  const [obstacles] = facts;
  if (result !== null) return result;
  if (obstacles === undefined || obstacles.source === null) throw notFound("template");
  if (obstacles.source === "local") throw explainRefusal(obstacles);
  return null;
}

/**
 * Changes what was sent: name and text of a local template, category and components of one that a provider holds. Throws
 * `not_found`, `conflict`, `validation_failed` where the template is of the other kind, and what `changeExternalTemplate` throws.
 */
export async function updateTemplate(ctx: Ctx, id: string, change: TemplatePatch): Promise<TemplateRecord> {
  const { category, components } = change;
  if (category !== undefined || components !== undefined) return changeExternalTemplate(ctx, id, change);
  const changed = await updateLocal(ctx, id, change);
  if (changed !== null) return changed;
  const fields = Object.keys(change);
  if (fields.length > 0) throw invalid(fields.map(externalFault));
  return getTemplate(ctx, id);
}

/**
 * Ends a template, first at the provider that holds it; answers it as it was. Throws `not_found`, also the second time, `conflict`
 * with a campaign, and what `deleteExternalTemplate` throws.
 */
export async function deleteTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => deleteLocalTemplate(ctx, id, guard),
    currentRevision: templateRevision(ctx, id),
    result: changedTemplateAsJson(ctx, id, null),
    isAnsweredFirst: true,
    shape: templateRecord,
    facts: selectTemplateObstacles(ctx, id, null),
  });
  if (result !== null) return result;
  const [obstacles] = facts;
  if (obstacles?.source === "external") return deleteExternalTemplate(ctx, id);
  throw obstacles === undefined ? notFound("template") : explainRefusal(obstacles);
}
