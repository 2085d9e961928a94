import type { TemplateRef } from "../../channels/channel-templates.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, type Fault, invalid, notFound } from "../../shared/errors.ts";
import type { Connection } from "../connections/connections.service.ts";
import { selectConnection } from "../connections/connections.sql.ts";
import {
  commitOnce,
  findReplay,
  type OnceWork,
  revisionPrecondition,
  selectIdempotencyRecord,
} from "../idempotency/idempotency.service.ts";
import {
  askTemplateProvider,
  openTemplateProvider,
  type TemplateProvider,
  trySyncSoon,
} from "./ask-template-provider.ts";
import {
  claimNextRevision,
  connectionOf,
  deleteExternalTemplateRow,
  type ExternalTemplateRow,
  releaseRevision,
  selectExternalTemplate,
  updateExternalTemplate,
} from "./external-templates.sql.ts";
import { externalTemplateOf } from "./sync-templates.ts";
import type { SentComponent } from "./template-components.schemas.ts";
import { selectTemplateFiles } from "./template-files.sql.ts";
import { exampleFiles } from "./templates.examples.ts";
import { withoutHandles } from "./templates.outline.ts";
import { findComponentFaults, parametersIn } from "./templates.rules.ts";
import { type TemplateRecord, templateRecord } from "./templates.schemas.ts";
import { templateAsJson, templateRevision } from "./templates.sql.ts";
import { checkExamples, uploadExamples } from "./upload-examples.ts";

/** A change of a provider's template; components are given whole. */
export interface ExternalTemplateChange {
  category?: string | undefined;
  components?: readonly SentComponent[] | undefined;
}

/** The refusal of a change while an unfinished campaign sends the template. */
export const refuseSending = (campaignId: string): AppError =>
  new AppError("conflict", "An unfinished campaign sends this template. Cancel it first, or make another template.", {
    field: "template_id",
    campaign_id: campaignId,
  });

const localFault = (path: string): Fault => ({
  path,
  code: "unknown_field",
  message: "This template is local: it has a name and a body.",
});

/** A template that may be changed at its provider. */
interface Changeable {
  template: TemplateRecord;
  ref: TemplateRef;
  connection: Connection;
}

/** Throws `not_found`, and `conflict` while an unfinished campaign sends it. */
function requireChangeable(rows: ExternalTemplateRow[], connections: Connection[]): Changeable {
  const [row] = rows;
  const [connection] = connections;
  if (row === undefined || connection === undefined) throw notFound("template");
  const { result: template, providerId, campaignId } = row;
  if (campaignId !== null) throw refuseSending(campaignId);
  const { name, language } = template;
  return { template, ref: { providerId: providerId ?? name, name, language: language ?? "" }, connection };
}

/** Claims the revision after the one that the request expects, if it expects one: what a provider has done cannot be refused afterwards. */
async function claimRevision(ctx: Ctx, id: string): Promise<number | null> {
  if (ctx.expectedRevisions === null) return null;
  const { claims } = await transact(ctx.db, {
    precondition: revisionPrecondition(ctx, templateRevision(ctx, id)),
    claims: claimNextRevision(ctx, id),
  });
  return claims[0]?.revision ?? null;
}

/** Makes the provider's call; a revision that was claimed is given back where the provider refuses. */
const askOrRelease = <T>(
  ctx: Ctx,
  provider: TemplateProvider,
  { id, claimed }: { id: string; claimed: number | null },
  call: Promise<T> | undefined,
): Promise<T> =>
  askTemplateProvider(ctx, provider, call, async () => {
    if (claimed !== null) await transact(ctx.db, { release: releaseRevision(ctx, id, claimed) });
  });

/** Stores what the provider has done; where storage fails, a sync does. Null where the template is gone here. */
async function commitDone(
  ctx: Ctx,
  connectionId: string,
  work: OnceWork<TemplateRecord>,
): Promise<TemplateRecord | null> {
  const { result } = await commitOnce(ctx, work).catch(async (error: unknown) => {
    await trySyncSoon(ctx, connectionId);
    throw error;
  });
  return result;
}

/**
 * Changes a template at its provider, and stores the status that it has then. Throws `not_found`, `validation_failed`, `conflict`
 * while an unfinished campaign sends it, `channel_mismatch`, `invalid_state`, `media_invalid`, and `provider_error`.
 */
export async function changeExternalTemplate(
  ctx: Ctx,
  id: string,
  change: ExternalTemplateChange,
): Promise<TemplateRecord> {
  const { components, category } = change;
  const { rows, connections, files, records } = await transact(ctx.db, {
    precondition: revisionPrecondition(ctx, templateRevision(ctx, id)),
    rows: selectExternalTemplate(ctx, id),
    connections: selectConnection(ctx, connectionOf(ctx, id)),
    files: selectTemplateFiles(
      ctx,
      exampleFiles(components ?? []).map(({ mediaId }) => mediaId),
    ),
    records: selectIdempotencyRecord(ctx),
  });
  const replay = findReplay(ctx, records, templateRecord);
  if (replay !== null) return replay;
  if (rows[0]?.result.source === "local") throw invalid(Object.keys(change).map(localFault));
  const { template, ref, connection } = requireChangeable(rows, connections);
  const faults = components === undefined ? [] : findComponentFaults(category ?? template.category, components);
  if (faults.length > 0) throw invalid(faults);
  const provider = await openTemplateProvider(ctx, connection);
  checkExamples(provider, components ?? [], files);
  const sent = components && {
    components: await uploadExamples(ctx, provider, components),
    parameters: parametersIn(components),
  };
  const claimed = await claimRevision(ctx, id);
  const at = ctx.now();
  const revision = { ...(category !== undefined && { category }), ...sent };
  const call = provider.channel.editTemplate?.(provider.opened, ref, revision, provider.io);
  const { status } = await askOrRelease(ctx, provider, { id, claimed }, call);
  const { category: oldCategory, parameters, components: oldComponents } = template;
  const after = externalTemplateOf(ctx, {
    ...ref,
    category: category ?? oldCategory,
    parameters: sent?.parameters ?? parameters ?? "positional",
    components: sent === undefined ? oldComponents : withoutHandles(sent.components),
    status,
  });
  const changed = await commitDone(ctx, connection.id, {
    effects: (guard) => updateExternalTemplate(ctx, id, { ...after, at, claimed }, guard),
    result: templateAsJson(ctx, id),
    shape: templateRecord,
  });
  if (changed === null) throw notFound("template");
  return changed;
}

/**
 * Deletes a template at its provider, then here; answers it as it was. Throws `not_found`, `conflict` while an unfinished campaign
 * sends it, `channel_mismatch`, `invalid_state`, and `provider_error`.
 */
export async function deleteExternalTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const { rows, connections } = await transact(ctx.db, {
    precondition: revisionPrecondition(ctx, templateRevision(ctx, id)),
    rows: selectExternalTemplate(ctx, id),
    connections: selectConnection(ctx, connectionOf(ctx, id)),
  });
  const { template, ref, connection } = requireChangeable(rows, connections);
  const provider = await openTemplateProvider(ctx, connection);
  const claimed = await claimRevision(ctx, id);
  const call = provider.channel.deleteTemplate?.(provider.opened, ref, provider.io);
  await askOrRelease(ctx, provider, { id, claimed }, call);
  // A campaign that was started meanwhile cannot send what the provider no longer has.
  const deleted = await commitDone(ctx, connection.id, {
    effects: (guard) => deleteExternalTemplateRow(ctx, id, guard),
    result: templateAsJson(ctx, id),
    isAnsweredFirst: true,
    shape: templateRecord,
  });
  return deleted ?? template;
}
