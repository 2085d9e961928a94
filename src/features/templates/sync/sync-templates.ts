import { type Channel, ProviderError } from "../../../channels/channel.ts";
import type { ProviderTemplate, TemplateList } from "../../../channels/templates/channel-templates.ts";
import { providerFacts } from "../../../channels/providers.ts";
import { loadChannel } from "../../../channels/registry.ts";
import { type Ctx, type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { requireConnection } from "../../connections/connections.service.ts";
import type { Connection } from "../../connections/connections.schemas.ts";
import { createConnection, type NewConnection } from "../../connections/create-connection.ts";
import { openConnection } from "../../connections/open-connection.ts";
import { type ListedTemplates, replaceExternalTemplates, storeExternalTemplates } from "./sync-templates.sql.ts";
import { reviewTemplate, type TemplateReview } from "../templates.changes.ts";
import { parseTemplate, variablesOf } from "../model/parse-template.ts";
import { withoutLinks } from "../submit/example-files.ts";
import type { ExternalTemplate } from "../templates.schemas.ts";
import { selectNamedTemplate, updateTemplateRow } from "../templates.sql.ts";
import {
  claimTemplateSyncs,
  markTemplatesSynced,
  findWorkspaceOfConnection,
} from "../../connections/connections.sql.ts";

export type TemplateChannel = Channel & Required<Pick<Channel, "syncTemplates">>;

const keepsTemplates = (channel: Channel | null): channel is TemplateChannel => channel?.syncTemplates !== undefined;

export async function loadTemplateChannel({
  channel: kind,
  provider,
}: Pick<Connection, "channel" | "provider">): Promise<TemplateChannel | null> {
  const channel = await loadChannel(provider);
  return kind === "official" && keepsTemplates(channel) ? channel : null;
}

export function externalTemplateOf(ctx: Ctx, template: ProviderTemplate): ExternalTemplate {
  const parsed = parseTemplate({ ...template, body: "" });
  return {
    ...template,
    id: ctx.newId("tpl"),
    body: parsed.bodyText || template.name,
    variables: variablesOf(parsed),
    components: withoutLinks(template.components),
  };
}

/** If the provider lists two templates with the same name and language, the later one is stored. */
function toRows(ctx: Ctx, { templates, isPartial }: TemplateList): ListedTemplates {
  const byName = new Map(templates.map((template) => [JSON.stringify([template.name, template.language]), template]));
  return { rows: Array.from(byName.values(), (template) => externalTemplateOf(ctx, template)), isPartial };
}

async function fetchTemplates(ctx: Ctx, connection: Connection, channel: TemplateChannel): Promise<TemplateList> {
  const opened = await openConnection(ctx, connection);
  try {
    return await channel.syncTemplates(opened, { upstream: ctx.upstream, download: ctx.download });
  } catch (cause) {
    const isKnown = cause instanceof ProviderError;
    if (!isKnown) log.error("templates_not_synced", { connectionId: connection.id, error: cause });
    throw new AppError("provider_error", "The provider did not return its templates. Test the connection.", {
      provider: connection.provider,
      provider_code: isKnown ? cause.providerCode : null,
      detail: isKnown ? cause.detail : "The provider could not be reached.",
    });
  }
}

const MAX_LISTS = 3;

export async function syncTemplates(ctx: Ctx, connectionId: string) {
  for (let lists = 0; lists < MAX_LISTS; lists++) {
    const connection = await requireConnection(ctx, connectionId);
    const channel = await loadTemplateChannel(connection);
    if (channel === null) {
      throw new AppError(
        "invalid_state",
        "The connection's provider does not support templates. Its templates are local.",
        {
          status: connection.channel,
        },
      );
    }
    const listed = toRows(ctx, await fetchTemplates(ctx, connection, channel));
    const stored = await storeExternalTemplates(ctx, connection, listed);
    if (stored === null) continue;
    const newIds = new Set(listed.rows.map(({ id }) => id));
    const created = stored.written.filter((id) => newIds.has(id)).length;
    return { created, updated: stored.written.length - created, removed: stored.removed.length };
  }
  throw new AppError("unavailable", "Templates of the connection changed during the sync. Sync again.");
}

/**
 * Reviews can arrive repeatedly, in any order, and before the template is stored. An older review or one of an unknown
 * template changes nothing.
 */
export async function storeTemplateReview(ctx: Ctx, connectionId: string, review: TemplateReview): Promise<void> {
  await decideAndCommit(ctx, {
    shape: null,
    reads: { templates: selectNamedTemplate(ctx, { connection_id: connectionId, ...review }) },
    decide({ templates: [before] }) {
      if (before === undefined) return { writes: [], events: [], answer: null };
      const { template, events } = reviewTemplate(before, review);
      return { writes: updateTemplateRow(ctx, before, template), events, answer: null };
    },
  });
}

export async function createConnectionWithTemplates(ctx: Ctx, input: NewConnection) {
  const channel = providerFacts[input.provider].hasFixedTemplates ? await loadTemplateChannel(input) : null;
  if (channel === null) return createConnection(ctx, input);
  const id = ctx.newId("conn");
  const listed = await channel.syncTemplates({ id, config: {} }, { upstream: ctx.upstream, download: ctx.download });
  const alongside = replaceExternalTemplates(ctx, { id, templateChanges: 0 }, toRows(ctx, listed));
  return createConnection(ctx, input, { id, alongside });
}

/** The maximum per shard and run. The sweep runs each minute, so this spreads the syncs over the hour. */
const MAX_SYNCS = 20;

async function syncConnection(base: BaseCtx, id: string): Promise<void> {
  const workspace = await findWorkspaceOfConnection(base, id);
  if (workspace === null) return;
  const ctx = forWorkspace(base, workspace);
  await syncTemplates(ctx, id);
  await markTemplatesSynced(ctx, id);
}

/**
 * Syncs each connection's templates hourly, and less often after failures. Each run claims its connections first, so
 * that two concurrent runs do not sync the same connection.
 */
export async function sweepTemplates(base: BaseCtx, shard: number): Promise<void> {
  const ids = await claimTemplateSyncs(base.shard(shard), base.now(), MAX_SYNCS);
  const syncs = await Promise.allSettled(ids.map((id) => syncConnection(base, id)));
  for (const [index, sync] of syncs.entries()) {
    if (sync.status === "rejected") log.error("template_sync_failed", { connectionId: ids[index], error: sync.reason });
  }
}
