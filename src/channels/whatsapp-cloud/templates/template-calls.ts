// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates/template-management
import * as z from "zod";
import {
  isSuccess,
  type UpstreamAnswer,
  UpstreamRefused,
  type UpstreamRequest,
} from "../../../shared/network/upstream.ts";
import { ANSWER_NOT_UNDERSTOOD, callForJson } from "../../answers.ts";
import { type HttpIo, type OpenConnection, ProviderError, TemplateNameTaken } from "../../channel.ts";
import type {
  TemplateRef,
  ProviderTemplate,
  SubmittedTemplate,
  TemplateDraft,
  TemplateList,
  TemplateRevision,
  TemplateStatus,
} from "../../templates/channel-templates.ts";
import { lenientText } from "../../provider-input.ts";
import {
  cloudOutcomeOfFailure,
  cloudProviderErrorOf,
  isObjectGone,
  isTemplateGone,
  isTemplateNameTaken,
} from "../errors.ts";
import { cloudRequestTo, idIn, postJson } from "../graph.ts";
import { readTemplateStatus, templatePage } from "./received-templates.ts";

const PAGE_SIZE = 100;
const MAX_PAGES = 100;

const pathIn = (connection: OpenConnection) => `${idIn(connection, "business_account_id")}/message_templates`;

export async function syncCloudTemplates(connection: OpenConnection, { upstream }: HttpIo): Promise<TemplateList> {
  const found: ProviderTemplate[] = [];
  const seen = new Set<string>();
  const fields = "id,name,status,category,language,parameter_format,components,quality_score,rejected_reason";
  const path = `${pathIn(connection)}?fields=${fields}&limit=${PAGE_SIZE}`;
  let after = "";
  // Requests each page by its cursor, because the `next` URL in the response could point to any host.
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const request = cloudRequestTo(connection, after === "" ? path : `${path}&after=${encodeURIComponent(after)}`);
    const page = templatePage(await callForJson(upstream, request, cloudProviderErrorOf));
    if (page === null) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
    found.push(...page.templates);
    if (page.after === null || seen.has(page.after)) return { templates: found, isPartial: false };
    seen.add(page.after);
    ({ after } = page);
  }
  throw new ProviderError(`The account has more than ${PAGE_SIZE * MAX_PAGES} templates.`);
}

/** Throws `ProviderError` only if Meta refused the change. After any other error, Meta may have applied it. */
async function callToChange({ upstream }: HttpIo, request: UpstreamRequest): Promise<UpstreamAnswer> {
  let answer: UpstreamAnswer;
  try {
    answer = await upstream(request);
  } catch (error) {
    if (error instanceof UpstreamRefused) throw new ProviderError(error.message);
    throw error;
  }
  if (isSuccess(answer)) return answer;
  const outcome = cloudOutcomeOfFailure(answer);
  if (outcome.kind === "lost") throw new Error(outcome.error.message);
  return answer;
}

const formats = { named: "NAMED", positional: "POSITIONAL" } as const;

const created = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)]),
  status: lenientText,
  category: lenientText,
});

export async function createCloudTemplate(
  connection: OpenConnection,
  { name, language, category, parameters, components }: TemplateDraft,
  io: HttpIo,
): Promise<SubmittedTemplate> {
  const body = { name, language, category, parameter_format: formats[parameters], components };
  const answer = await callToChange(io, postJson(connection, pathIn(connection), body));
  if (!isSuccess(answer)) {
    const { detail, providerCode, notice } = cloudProviderErrorOf(answer);
    throw isTemplateNameTaken(answer)
      ? new TemplateNameTaken(detail, providerCode)
      : new ProviderError(detail, providerCode, notice);
  }
  const { data } = created.safeParse(answer.json);
  if (data === undefined) throw new Error(ANSWER_NOT_UNDERSTOOD);
  return {
    providerId: data.id,
    status: readTemplateStatus(data.status ?? "") ?? "PENDING",
    category: data.category ?? null,
  };
}

const current = z.object({ status: z.string() });

/** Meta's response to an edit does not contain the template's new status, so a second request reads it. */
export async function editCloudTemplate(
  connection: OpenConnection,
  { providerId }: TemplateRef,
  { category, components, parameters }: TemplateRevision,
  io: HttpIo,
): Promise<{ status: TemplateStatus }> {
  const body = {
    ...(category !== undefined && { category }),
    ...(components !== undefined && { components }),
    ...(parameters !== undefined && { parameter_format: formats[parameters] }),
  };
  const path = encodeURIComponent(providerId);
  const answer = await callToChange(io, postJson(connection, path, body));
  if (!isSuccess(answer)) throw cloudProviderErrorOf(answer);
  const response = callForJson(io.upstream, cloudRequestTo(connection, `${path}?fields=status`), cloudProviderErrorOf);
  const { data } = current.safeParse(await response.catch(() => null));
  return { status: readTemplateStatus(data?.status ?? "") ?? "PENDING" };
}

/** Sends both id and name: if a request has only the name, Meta deletes the template in all languages. */
export async function deleteCloudTemplate(
  connection: OpenConnection,
  { providerId, name }: { providerId: string; name: string },
  io: HttpIo,
): Promise<void> {
  const id = encodeURIComponent(providerId);
  const request = cloudRequestTo(connection, `${pathIn(connection)}?hsm_id=${id}&name=${encodeURIComponent(name)}`);
  const answer = await callToChange(io, { ...request, method: "DELETE" });
  if (isSuccess(answer) || isTemplateGone(answer)) return;
  // If the template does not exist, only the text of Meta's error says so. `isTemplateGone` does not recognise it
  // in every language. A request that reads the template returns an error code instead.
  const response = await io.upstream(cloudRequestTo(connection, `${id}?fields=status`)).catch(() => null);
  if (response === null || !isObjectGone(response)) throw cloudProviderErrorOf(answer);
}
