import { and, eq, isNull, sql } from "drizzle-orm";
import { connections } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { FactsOf } from "../../../db/facts.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { AppError, type Fault, invalid, notFound } from "../../../shared/errors.ts";
import { iso } from "../../../shared/time/iso-times.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { nameKey } from "../../../shared/text/folding.ts";
import type { ContactLayout } from "../../contacts/contacts.schemas.ts";
import { selectContactLayout } from "../../contacts/contacts.sql.ts";
import { contactValueNames } from "../../contacts/contacts.values.ts";
import { selectSegment } from "../../segments/segments.sql.ts";
import { selectTagsByKey } from "../../tags/tags.sql.ts";
import { findTemplateFault, missingVariablesError } from "../../templates/templates.fitting.ts";
import { isAuthentication, parseTemplate } from "../../templates/model/parse-template.ts";
import { type FileToFetch, findFileFault, nameFiles, sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles, selectTemplate } from "../../templates/templates.sql.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import {
  type ResolvedAudience,
  type StartCampaign,
  type StoredAudience,
  type StoredRequest,
  storedRequest,
} from "../campaigns.schemas.ts";
import { checkVariables, partsOf } from "../campaigns.variables.ts";
import { readAudience, resolveAudience } from "./find-audience.ts";

const selectUsableConnections = (ctx: Ctx, channel: "official" | "unofficial", id: string | null) =>
  ctx.db
    .select({ id: connections.id, status: connections.status })
    .from(connections)
    .where(
      and(
        eq(connections.workspaceId, ctx.workspace.id),
        eq(connections.channel, channel),
        isNull(connections.deletedAt),
        sql`(${connections.id} = ${id} OR ${connections.isDefault})`,
      ),
    )
    .orderBy(sql`${connections.id} = ${id} DESC`);

export const selectConnectionStatus = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ status: connections.status })
    .from(connections)
    .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspace.id), isNull(connections.deletedAt)));

const YEAR_MS = 365 * DAY_MS;

export interface CampaignPlan {
  template: TemplateRecord;
  request: StoredRequest;
  connectionId: string;
  audience: StoredAudience;
  resolved: ResolvedAudience;
  fetched: FileToFetch[];
  layout: ContactLayout;
  scheduledAt: number | null;
  sendBefore: number | null;
}

/**
 * Values that a stored campaign keeps without the checks for a new campaign. `connectionId` is the connection that it
 * already uses. `scheduledAt` and `sendBefore` are true if the stored time stays, even if it is in the past.
 */
export interface KeptValues {
  connectionId: string | null;
  scheduledAt: boolean;
  sendBefore: boolean;
}

const NOTHING_KEPT: KeptValues = { connectionId: null, scheduledAt: false, sendBefore: false };

export const msOrNull = (time: string | undefined) => (time === undefined ? null : Date.parse(time));

function readTimes(ctx: Pick<Ctx, "now">, { scheduled_at, send_before }: StartCampaign, kept: KeptValues) {
  const [scheduledAt, sendBefore] = [msOrNull(scheduled_at), msOrNull(send_before)];
  const faults: Fault[] = [];
  const checkTime = (path: string, at: number | null, after: number, message: string) => {
    if (at !== null && (at <= after || at > ctx.now() + YEAR_MS)) faults.push({ path, code: "out_of_range", message });
  };
  if (!kept.scheduledAt)
    checkTime("scheduled_at", scheduledAt, ctx.now(), "Must be in the future and within 365 days.");
  const message = "Must be after the start and within 365 days.";
  const [after, isKept] = [Math.max(ctx.now(), scheduledAt ?? 0), kept.scheduledAt && kept.sendBefore];
  if (!isKept) checkTime("send_before", sendBefore, after, message);
  return { scheduledAt, sendBefore, faults };
}

function requireActiveConnection<C extends { status: string }>(connection: C | undefined, channel: string): C {
  if (connection === undefined) {
    const message = `The workspace has no default ${channel} connection, and the key's connection is not ${channel}.`;
    throw new AppError("channel_mismatch", message);
  }
  if (connection.status === "active") return connection;
  const message = "The connection cannot send. Test the connection.";
  throw new AppError("invalid_state", message, { status: connection.status });
}

const LOGIN_CODE_REFUSED =
  "Campaigns cannot use authentication templates, because a code is for one person. Send the template to that person instead.";

const isUnknownField = ({ variables }: TemplateRecord, name: string) =>
  !variables.includes(name) && !name.includes(".");

function campaignVariablesError(template: TemplateRecord, missing: string[]): AppError {
  const [first] = missing;
  if (first !== undefined && missing.every((name) => isUnknownField(template, name))) {
    const message = `Contacts do not have the field ${first}. Use another field or add a fallback, like {{${first}|…}}.`;
    return new AppError("missing_variable", message, { variables: missing });
  }
  const { variables } = template;
  const positions = variables.filter((name) => /^\d/.test(name));
  const values = positions.map((_, at) => (at === 0 ? "{{name|there}}" : "…"));
  const example = missing.some((name) => positions.includes(name))
    ? `, like "variables": ${JSON.stringify(values)}`
    : "";
  return missingVariablesError(missing, example);
}

export function planReads(ctx: Ctx, request: StartCampaign, { connectionId }: KeptValues = NOTHING_KEPT) {
  const ownConnectionId = hasOwn(ctx.actor, "connectionId") ? ctx.actor.connectionId : null;
  const [files] = selectTemplateFiles(ctx, sentFileIds(partsOf(request)));
  return {
    template: selectTemplate(ctx, request.template_id),
    connections: selectUsableConnections(ctx, request.channel, connectionId ?? ownConnectionId),
    tags: selectTagsByKey(ctx, (request.filter_tags ?? []).map(nameKey)),
    segment: selectSegment(ctx, request.segment_id ?? ""),
    layout: selectContactLayout(ctx),
    files,
  };
}

type PlanFacts = FactsOf<ReturnType<typeof planReads>>;

type PlanCtx = Pick<Ctx, "now" | "newId" | "allowPrivateUpstreams">;

export function planCampaign(
  ctx: PlanCtx,
  request: StartCampaign,
  found: PlanFacts,
  kept: KeptValues = NOTHING_KEPT,
): CampaignPlan {
  const sent = partsOf(request);
  const { scheduledAt, sendBefore, faults } = readTimes(ctx, request, kept);
  const { audience, faults: audienceFaults } = readAudience(request, found.tags);
  const template = found.template[0];
  const parsed = template && parseTemplate(template);
  const layout = found.layout[0]?.layout ?? [];
  const {
    parts: sentParts,
    fetched,
    faults: addressFaults,
  } = parsed === undefined ? { parts: sent, fetched: [], faults: [] } : nameFiles(parsed, sent, ctx);
  const checked = parsed && checkVariables(parsed, request.variables, contactValueNames(layout), sentParts);
  const allFaults = [...faults, ...audienceFaults, ...(checked?.faults ?? []), ...addressFaults];
  if (allFaults.length > 0) throw invalid(allFaults);
  if (template === undefined || parsed === undefined || checked === undefined) throw notFound("template");
  const resolved = resolveAudience(ctx, audience, found);

  const connection = requireActiveConnection(found.connections[0], request.channel);
  const refusal = findTemplateFault(template, parsed, { id: connection.id, channel: request.channel });
  if (refusal !== null) throw refusal;
  if (isAuthentication(template.category)) throw new AppError("channel_mismatch", LOGIN_CODE_REFUSED);
  if (checked.missing.length > 0) throw campaignVariablesError(template, checked.missing);
  const fileRefusal = findFileFault(parsed, sent, found.files);
  if (fileRefusal !== null) throw fileRefusal;
  const connectionId = connection.id;
  const planned = storedRequest.parse({
    ...request,
    name: request.name ?? template.name,
    ...(scheduledAt !== null && { scheduled_at: iso(scheduledAt) }),
    ...(sendBefore !== null && { send_before: iso(sendBefore) }),
    variables: checked.texts ?? undefined,
    ...sentParts,
  });
  return {
    template,
    request: planned,
    connectionId,
    audience,
    resolved,
    fetched,
    layout,
    scheduledAt,
    sendBefore,
  };
}

export async function readPlan(ctx: Ctx, request: StartCampaign, kept?: KeptValues): Promise<CampaignPlan> {
  const { files, ...reads } = planReads(ctx, request, kept);
  const found = await transact(ctx.db, { ...reads, files: files === undefined ? [] : [files] });
  return planCampaign(ctx, request, found, kept);
}
