import { type Channel, ProviderError } from "../../channels/channel.ts";
import type { ProviderTemplate, TemplateStatus } from "../../channels/channel-templates.ts";
import { channelOf } from "../../channels/registry.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import {
  type Connection,
  createConnection,
  type NewConnection,
  openConnection,
  requireConnection,
} from "../connections/connections.service.ts";
import * as repository from "./sync-templates.sql.ts";
import { bodyOf, externalVariables } from "./templates.external.ts";

type Keeper = Required<Pick<Channel, "syncTemplates">>;

const keepsTemplates = (channel: Channel | null): channel is Channel & Keeper => channel?.syncTemplates !== undefined;

/** The channel of a connection whose provider keeps templates, else null. Those of official connections only do. */
function keeperOf({ channel, provider }: Pick<Connection, "channel" | "provider">): Keeper | null {
  const speaker = channelOf(provider);
  return channel === "official" && keepsTemplates(speaker) ? speaker : null;
}

/** Of two with one name and language the later counts. */
function rowsOf(ctx: Ctx, held: readonly ProviderTemplate[]): repository.ExternalTemplate[] {
  const byName = new Map(held.map((template) => [JSON.stringify([template.name, template.language]), template]));
  return Array.from(byName.values(), (template) => ({
    ...template,
    id: ctx.newId("tpl"),
    body: bodyOf(template) || template.name,
    variables: externalVariables(template),
  }));
}

async function askProvider(ctx: Ctx, connection: Connection, keeper: Keeper): Promise<ProviderTemplate[]> {
  const opened = await openConnection(ctx, connection);
  try {
    return await keeper.syncTemplates(opened, { upstream: ctx.upstream });
  } catch (cause) {
    const isTold = cause instanceof ProviderError;
    if (!isTold) log.error("templates_not_synced", { connectionId: connection.id, error: cause });
    throw new AppError("provider_error", "The provider did not give its templates. Test the connection.", {
      provider: connection.provider,
      provider_code: isTold ? cause.providerCode : null,
      detail: isTold ? cause.detail : "The provider could not be reached.",
    });
  }
}

/**
 * Makes a connection's templates what its provider holds. Throws `not_found`, `invalid_state` where the connection has no
 * templates of a provider, `provider_error`.
 */
export async function syncTemplates(ctx: Ctx, connectionId: string) {
  const connection = await requireConnection(ctx, connectionId);
  const keeper = keeperOf(connection);
  if (keeper === null) {
    throw new AppError("invalid_state", "No provider keeps templates for this connection. Its templates are local.", {
      status: connection.channel,
    });
  }
  const rows = rowsOf(ctx, await askProvider(ctx, connection, keeper));
  const { written, removed } = await repository.store(ctx, connectionId, rows);
  const fresh = new Set(rows.map(({ id }) => id));
  const created = written.filter((id) => fresh.has(id)).length;
  return { created, updated: written.length - created, removed: removed.length };
}

/**
 * Notes how a provider judged a template of a connection at `at`, in any order and any number of times. One that is not
 * known yet comes with the next sync.
 */
export const judgeTemplate = (
  ctx: Ctx,
  connectionId: string,
  judgement: repository.Judgement & { status: TemplateStatus },
): Promise<void> => repository.applyJudgement(ctx, connectionId, judgement);

/** Makes a connection. What the sandbox holds comes along at once; a real provider is asked when the templates are synced. */
export async function connect(ctx: Ctx, input: NewConnection) {
  const keeper = input.provider === "sandbox" ? keeperOf(input) : null;
  if (keeper === null) return createConnection(ctx, input);
  const id = ctx.newId("conn");
  const held = await keeper.syncTemplates({ id, config: {} }, { upstream: ctx.upstream });
  return createConnection(ctx, input, { id, alongside: repository.replaceAll(ctx, id, rowsOf(ctx, held)) });
}
