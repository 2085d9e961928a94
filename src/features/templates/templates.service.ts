import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { fromJson } from "../../shared/json.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { parseBody, variablesIn } from "./templates.render.ts";
import * as repository from "./templates.sql.ts";
import { type SendableTemplate, sendableTemplate, type TemplateRecord, templateRecord } from "./templates.schemas.ts";

const parse = (json: string): TemplateRecord => templateRecord.parse(JSON.parse(json));

/** Newest first, one beyond `limit` where there are more. */
export async function listTemplates(ctx: Ctx, filter: repository.TemplateFilter): Promise<TemplateRecord[]> {
  return (await repository.list(ctx, filter)).map(({ result }) => parse(result));
}

/** Throws `not_found`. */
export async function getTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const json = await repository.findAsJson(ctx, id);
  if (json === null) throw notFound("template");
  return parse(json);
}

const found = z.array(z.object({ result: z.string() }));

/** Reads a template to send, for `parseSendable`. */
export const sendableQuery = repository.sendableAsJson;

/** Null where there is no such template. */
export function parseSendable(rows: unknown): SendableTemplate | null {
  const [row] = found.parse(rows);
  return row === undefined ? null : sendableTemplate.parse(JSON.parse(row.result));
}

const sendableRow = z.object({ result: fromJson(sendableTemplate) });

/** The template as sending needs it; no row where there is none. */
export const selectSendableTemplate = (ctx: Ctx, id: string | SQL): Statement<z.infer<typeof sendableRow>> =>
  statement(sendableRow, repository.sendableAsJson(ctx, id));

const textOf = (body: string) => ({ body, variables: variablesIn(parseBody(body).parts) });

const obstacles = z.object({
  source: z.string().nullable(),
  holder: z.string().nullable(),
  user: z.string().nullable(),
});

const inUse = (campaignId: string): AppError =>
  new AppError("conflict", "An unfinished campaign sends this template. Cancel it first, or make another template.", {
    field: "template_id",
    campaign_id: campaignId,
  });

const taken = (templateId: string | null): AppError =>
  new AppError("conflict", "Another local template has this name.", { field: "name", template_id: templateId });

const notLocal = (): AppError =>
  new AppError("invalid_state", "The provider holds this template. Change it there, then sync the connection.", {
    status: "external",
  });

function refusalOf(obstacle: z.infer<typeof obstacles> | undefined): AppError {
  if (obstacle === undefined || obstacle.source === null) return notFound("template");
  const { source, holder, user } = obstacle;
  if (source === "external") return notLocal();
  return user === null ? taken(holder) : inUse(user);
}

/** Makes a local template, usable at once. `body` has been checked. Throws `conflict` when one has the name. */
export async function createTemplate(
  ctx: Ctx,
  { name, body }: { name: string; body: string },
): Promise<TemplateRecord> {
  const id = ctx.newId("tpl");
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [repository.insert(ctx, id, { name, ...textOf(body) }, guard)],
    result: repository.templateAsJson(ctx, id),
    shape: templateRecord,
    facts: statement(obstacles, repository.obstacles(ctx, id, name)),
  });
  if (result === null) throw taken(facts[0]?.holder ?? null);
  return result;
}

/** Changes what was sent of a local template. Throws `not_found`, `conflict`, and `invalid_state` for an external one. */
export async function updateTemplate(
  ctx: Ctx,
  id: string,
  { name = null, body }: { name?: string | null | undefined; body?: string | undefined },
): Promise<TemplateRecord> {
  const change = { name, text: body === undefined ? null : textOf(body) };
  const changes = change.name !== null || change.text !== null;
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => (changes ? [repository.update(ctx, id, change, guard)] : []),
    result: repository.changedAsJson(ctx, id, name),
    shape: templateRecord,
    facts: statement(obstacles, repository.obstacles(ctx, id, name)),
  });
  if (result !== null) return result;
  throw refusalOf(facts[0]);
}

/** Ends a local template; answers it as it was. Throws `not_found`, also the second time, `conflict` with a campaign, and `invalid_state` for an external one. */
export async function deleteTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const json = await repository.findAsJson(ctx, id);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [repository.remove(ctx, id, guard)],
    // Null where it was gone before: then only the record of an earlier answer is left to give.
    result: repository.ifChanged(json ?? ""),
    shape: templateRecord,
    facts: statement(obstacles, repository.obstacles(ctx, id, null)),
  });
  if (result !== null) return result;
  throw refusalOf(facts[0]);
}
