import type { TemplateRef } from "../../../channels/templates/channel-templates.ts";
import { prepareFacts } from "../../../db/facts.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { findRevisionConflict } from "../../../shared/edit-conflicts.ts";
import { type AppError, type Fault, invalid, notFound } from "../../../shared/errors.ts";
import { decideAndCommit, type Decision } from "../../commits/decide-and-commit.ts";

import { selectConnection, noteTemplateChange } from "../../connections/connections.sql.ts";
import { findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import type { Connection } from "../../connections/connections.schemas.ts";
import {
  callTemplateProvider,
  openTemplateProvider,
  type TemplateProvider,
  trySyncSoon,
  checkExamples,
  uploadExamples,
} from "./template-provider.ts";
import { externalTemplateOf } from "../sync/sync-templates.ts";
import type { SentComponent } from "./template-components.schemas.ts";
import {
  selectTemplateFiles,
  claimNextRevision,
  connectionOf,
  deleteTemplateRow,
  releaseRevision,
  selectProviderId,
  selectSendingCampaign,
  selectTemplate,
  updateTemplateRow,
} from "../templates.sql.ts";
import { changeExternal, templateInUse } from "../templates.changes.ts";
import { exampleFiles, withoutHandles } from "./example-files.ts";
import { findComponentFaults, parametersIn } from "./component-rules.ts";
import { type TemplateRecord, templateRecord, type TemplateRow } from "../templates.schemas.ts";

export interface ExternalTemplateChange {
  category?: string | undefined;
  components?: readonly SentComponent[] | undefined;
}

const localFault = (path: string): Fault => ({
  path,
  code: "unknown_field",
  message: "This template is local. Only its name and body can be changed.",
});

async function readRows(ctx: Ctx, id: string, fileIds: readonly string[] = []) {
  const facts = prepareFacts({ templates: selectTemplate(ctx, id) });
  const { texts, ...rows } = await transact(ctx.db, {
    texts: facts.queries,
    providerIds: selectProviderId(ctx, id),
    connections: selectConnection(ctx, connectionOf(ctx, id)),
    campaigns: selectSendingCampaign(ctx, id),
    files: selectTemplateFiles(ctx, fileIds),
    replays: selectReplay(ctx),
  });
  const known = texts.map((text) => text.rows);
  return { ...rows, known, templates: facts.rowsOf(known).templates };
}

interface Changeable {
  template: TemplateRow;
  ref: TemplateRef;
  connection: Connection;
}

function requireChangeable(
  ctx: Ctx,
  rows: Awaited<ReturnType<typeof readRows>>,
  change: ExternalTemplateChange,
): Changeable {
  const [[template], [row], [connection], [campaign]] = [
    rows.templates,
    rows.providerIds,
    rows.connections,
    rows.campaigns,
  ];
  if (template === undefined) throw notFound("template");
  const conflict = findRevisionConflict(template.revision, ctx.expectedRevisions);
  if (conflict !== null) throw conflict;
  if (template.source === "local") throw invalid(Object.keys(change).map(localFault));
  if (connection === undefined) throw notFound("template");
  if (campaign !== undefined) throw templateInUse(campaign.id);
  const { name, language } = template;
  return { template, ref: { providerId: row?.providerId ?? name, name, language: language ?? "" }, connection };
}

/**
 * We reserve the next revision before the call, because a change at the provider cannot be undone if a concurrent edit
 * wins.
 */
async function claimRevision(ctx: Ctx, template: TemplateRow): Promise<number | null> {
  if (ctx.expectedRevisions === null) return null;
  const [claimed] = await claimNextRevision(ctx, template);
  if (claimed !== undefined) return claimed.revision;
  const [changed] = await selectTemplate(ctx, template.id);
  throw (changed && findRevisionConflict(changed.revision, [])) ?? notFound("template");
}

const callOrRelease = <T>(
  ctx: Ctx,
  provider: TemplateProvider,
  { id, claimed }: { id: string; claimed: number | null },
  call: Promise<T> | undefined,
): Promise<T> =>
  callTemplateProvider(ctx, provider, call, async () => {
    if (claimed !== null) await releaseRevision(ctx, id, claimed);
  });

/** Stores the change that the provider has already made. If this commit fails, a sync stores the change later. */
const commitDone = (
  ctx: Ctx,
  { id, connectionId, known }: { id: string; connectionId: string; known: readonly string[] | undefined },
  decide: (template: TemplateRow | undefined) => Decision<TemplateRecord> | AppError,
): Promise<TemplateRecord> =>
  decideAndCommit(ctx, {
    shape: templateRecord,
    reads: { templates: selectTemplate(ctx, id) },
    earlierReads: known,
    decide: ({ templates: [template] }) => decide(template),
  }).catch(async (error: unknown) => {
    await trySyncSoon(ctx, connectionId);
    throw error;
  });

export async function changeExternalTemplate(
  ctx: Ctx,
  id: string,
  change: ExternalTemplateChange,
): Promise<TemplateRecord> {
  const { components, category } = change;
  const fileIds = exampleFiles(components ?? []).map(({ mediaId }) => mediaId);
  const rows = await readRows(ctx, id, fileIds);
  const replay = findReplay(ctx, rows.replays, templateRecord);
  if (replay !== null) return replay;
  const { template, ref, connection } = requireChangeable(ctx, rows, change);
  const faults = components === undefined ? [] : findComponentFaults(category ?? template.category, components);
  if (faults.length > 0) throw invalid(faults);
  const provider = await openTemplateProvider(ctx, connection);
  checkExamples(provider, components ?? [], rows.files);
  const sent = components && {
    components: await uploadExamples(ctx, provider, components),
    parameters: parametersIn(components),
  };
  const claimed = await claimRevision(ctx, template);
  const at = ctx.now();
  const revision = { ...(category !== undefined && { category }), ...sent };
  const call = provider.channel.editTemplate?.(provider.opened, ref, revision, provider.io);
  const { status } = await callOrRelease(ctx, provider, { id, claimed }, call);
  const { category: oldCategory, parameters, components: oldComponents } = template;
  const after = externalTemplateOf(ctx, {
    ...ref,
    category: category ?? oldCategory,
    parameters: sent?.parameters ?? parameters ?? "positional",
    components: sent === undefined ? oldComponents : withoutHandles(sent.components),
    status,
  });
  const done = { id, connectionId: connection.id, known: claimed === null ? rows.known : undefined };
  return commitDone(ctx, done, (before) => {
    if (before === undefined) return notFound("template");
    const changed = changeExternal(before, after, { at, claimed, read: template });
    return {
      writes: [...updateTemplateRow(ctx, before, changed.template), noteTemplateChange(ctx, connection.id)],
      events: changed.events,
      answer: changed.template,
    };
  });
}

export async function deleteExternalTemplate(ctx: Ctx, id: string): Promise<TemplateRecord> {
  const rows = await readRows(ctx, id);
  const { template, ref, connection } = requireChangeable(ctx, rows, {});
  const provider = await openTemplateProvider(ctx, connection);
  const claimed = await claimRevision(ctx, template);
  const call = provider.channel.deleteTemplate?.(provider.opened, ref, provider.io);
  await callOrRelease(ctx, provider, { id, claimed }, call);
  // We must delete our copy even if a campaign has started in the meantime, because the provider has already deleted
  // the template.
  const done = { id, connectionId: connection.id, known: claimed === null ? rows.known : undefined };
  return commitDone(ctx, done, (before) =>
    before === undefined
      ? { writes: [], events: [], answer: template }
      : {
          writes: [deleteTemplateRow(ctx, id), noteTemplateChange(ctx, connection.id)],
          events: [{ type: "template.deleted", id }],
          answer: before,
        },
  );
}
