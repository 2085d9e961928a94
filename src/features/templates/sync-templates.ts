import { type Channel, ProviderError } from "../../channels/channel.ts";
import type { ProviderTemplate } from "../../channels/channel-templates.ts";
import { loadChannel } from "../../channels/registry.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import {
  type Connection,
  createConnection,
  type NewConnection,
  requireConnection,
} from "../connections/connections.service.ts";
import { openConnection } from "../connections/open-connection.ts";
import {
  type ExternalTemplate,
  replaceExternalTemplates,
  storeExternalTemplates,
  type TemplateReview,
  updateReviewedTemplate,
} from "./sync-templates.sql.ts";
import { bodyText, externalVariables } from "./templates.external.ts";

type TemplateChannel = Required<Pick<Channel, "syncTemplates">>;

const keepsTemplates = (channel: Channel | null): channel is Channel & TemplateChannel =>
  channel?.syncTemplates !== undefined;

/** The channel of a connection whose provider keeps templates, else null. Only those of official connections do. */
async function loadTemplateChannel({
  channel: kind,
  provider,
}: Pick<Connection, "channel" | "provider">): Promise<TemplateChannel | null> {
  const channel = await loadChannel(provider);
  return kind === "official" && keepsTemplates(channel) ? channel : null;
}

/** Of two with one name and language the later counts. */
function toRows(ctx: Ctx, held: readonly ProviderTemplate[]): ExternalTemplate[] {
  const byName = new Map(held.map((template) => [JSON.stringify([template.name, template.language]), template]));
  return Array.from(byName.values(), (template) => ({
    ...template,
    id: ctx.newId("tpl"),
    body: bodyText(template) || template.name,
    variables: externalVariables(template),
  }));
}

async function fetchTemplates(ctx: Ctx, connection: Connection, channel: TemplateChannel): Promise<ProviderTemplate[]> {
  const opened = await openConnection(ctx, connection);
  try {
    return await channel.syncTemplates(opened, { upstream: ctx.upstream, download: ctx.download });
  } catch (cause) {
    const isKnown = cause instanceof ProviderError;
    if (!isKnown) log.error("templates_not_synced", { connectionId: connection.id, error: cause });
    throw new AppError("provider_error", "The provider did not give its templates. Test the connection.", {
      provider: connection.provider,
      provider_code: isKnown ? cause.providerCode : null,
      detail: isKnown ? cause.detail : "The provider could not be reached.",
    });
  }
}

/**
 * Makes a connection's templates what its provider holds. Throws `not_found`, `invalid_state` where the connection has no
 * templates of a provider, `provider_error`.
 */
export async function syncTemplates(ctx: Ctx, connectionId: string) {
  const connection = await requireConnection(ctx, connectionId);
  const channel = await loadTemplateChannel(connection);
  if (channel === null) {
    throw new AppError("invalid_state", "No provider keeps templates for this connection. Its templates are local.", {
      status: connection.channel,
    });
  }
  const rows = toRows(ctx, await fetchTemplates(ctx, connection, channel));
  const { written, removed } = await storeExternalTemplates(ctx, connectionId, rows);
  const fresh = new Set(rows.map(({ id }) => id));
  const created = written.filter((id) => fresh.has(id)).length;
  return { created, updated: written.length - created, removed: removed.length };
}

/**
 * Stores a provider's review of a template of a connection, in any order and any number of times. A template that is not
 * known yet comes with the next sync.
 */
export const storeTemplateReview = (ctx: Ctx, connectionId: string, review: TemplateReview): Promise<void> =>
  updateReviewedTemplate(ctx, connectionId, review);

/** Makes a connection. The sandbox's templates come along at once; a real provider is asked when the templates are synced. */
export async function createConnectionWithTemplates(ctx: Ctx, input: NewConnection) {
  const channel = input.provider === "sandbox" ? await loadTemplateChannel(input) : null;
  if (channel === null) return createConnection(ctx, input);
  const id = ctx.newId("conn");
  const held = await channel.syncTemplates({ id, config: {} }, { upstream: ctx.upstream, download: ctx.download });
  return createConnection(ctx, input, { id, alongside: replaceExternalTemplates(ctx, id, toRows(ctx, held)) });
}
