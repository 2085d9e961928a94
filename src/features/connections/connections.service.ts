import type { z } from "zod";
import { type OpenConnection, ProviderError } from "../../channels/channel.ts";
import { loadChannel } from "../../channels/registry.ts";
import { type SQL, transact } from "../../db/statement.ts";
import { faultOfAddress } from "../../shared/addresses.ts";
import type { Ctx } from "../../shared/context.ts";
import { randomBytes } from "../../shared/crypto.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { REPORT, toFaults } from "../../shared/faults.ts";
import { applyConnectionNotice, markTestFailed } from "./connection-status.sql.ts";
import { retestPauseMs } from "./connections.retests.ts";
import { type Provider, providers } from "./connections.schemas.ts";
import {
  changeConnection,
  type ConnectionRow,
  findConnection,
  insertConnection,
  markConnectionDeleted,
  selectConnections,
} from "./connections.sql.ts";
import { firstTemplateSync } from "./template-syncs.ts";
import { openConnection, sealSettings } from "./open-connection.ts";
import { publishConnection, withdrawConnection } from "./publish-connection.ts";

export type Connection = ConnectionRow;

/** Newest first, one beyond `limit` where there are more. */
export const listConnections = async (ctx: Ctx, limit: number, before: string | undefined): Promise<Connection[]> =>
  (await transact(ctx.db, { rows: selectConnections(ctx, limit, before) })).rows;

/** Throws `not_found`, also for another workspace's. */
export async function requireConnection(ctx: Ctx, id: string): Promise<Connection> {
  const row = await findConnection(ctx, id);
  if (row === null) throw notFound("connection");
  return row;
}

/** The provider's names for the events that its webhook must be sent. */
export const listWebhookEvents = async (provider: Provider): Promise<readonly string[]> =>
  (await loadChannel(provider))?.webhook?.events ?? [];

function parseConfig(
  schema: z.ZodType<Record<string, string | undefined>>,
  config: unknown,
): Record<string, string | undefined> {
  const parsed = schema.safeParse(config, REPORT);
  if (parsed.success) return parsed.data;
  throw invalid(toFaults(parsed.error, "config"));
}

const randomSecret = () => randomBytes(24).toHex();

/** The settings that hold a provider's address. */
const ADDRESSES = ["api_base", "base_url"];

function checkAddresses(ctx: Ctx, settings: Record<string, string | undefined>): void {
  const faults = ADDRESSES.flatMap((name) => {
    const address = settings[name];
    const message = address === undefined ? null : faultOfAddress(address, { allowPrivate: ctx.allowPrivateUpstreams });
    return message === null ? [] : [{ path: `config.${name}`, code: "invalid_address", message }];
  });
  if (faults.length > 0) throw invalid(faults);
}

export interface NewConnection {
  name: string;
  channel: Connection["channel"];
  provider: Provider;
  config: unknown;
  messagesPerSecond?: number | undefined;
  isDefault?: boolean | undefined;
  /** True to ask the provider first; where it refuses, the connection is made all the same, and shows why. */
  test?: boolean;
}

type StatusFields = Pick<Connection, "status" | "statusDetail" | "statusAt" | "unreachableSince" | "retestAt">;

const WORKING: StatusFields = {
  status: "active",
  statusDetail: null,
  statusAt: null,
  unreachableSince: null,
  retestAt: null,
};

/** The status that a test of new settings gives. Without an answer the connection is tested again, less and less often. */
async function testSettings(ctx: Ctx, provider: Provider, connection: OpenConnection): Promise<StatusFields> {
  const statusAt = ctx.now();
  try {
    const channel = await loadChannel(provider);
    await channel?.test(connection, { upstream: ctx.upstream, download: ctx.download });
    return { ...WORKING, statusAt };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { detail, notice } = error;
    if (notice !== null) return { ...WORKING, status: notice.status ?? "error", statusDetail: notice.detail, statusAt };
    const retests = { unreachableSince: statusAt, retestAt: statusAt + retestPauseMs(0) };
    return { status: "error", statusDetail: detail, statusAt, ...retests };
  }
}

const withoutUndefined = (settings: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const standardRates: Record<Provider, number> = { sandbox: 80, whatsapp_cloud: 80, waha: 1 };

/**
 * Makes a connection. `secrets` holds what was generated, which is shown this once. `alongside` is stored with it, in
 * the same transaction, under the `id` it is for.
 */
export async function createConnection(
  ctx: Ctx,
  input: NewConnection,
  { id, alongside }: { id: string; alongside: SQL[] } = { id: ctx.newId("conn"), alongside: [] },
) {
  const { provider, channel, name } = input;
  const { config: schema, generated } = providers[provider];
  const given = parseConfig(schema, input.config);
  checkAddresses(ctx, given);
  const secrets = Object.fromEntries(
    generated.filter((key) => given[key] === undefined).map((key) => [key, randomSecret()]),
  );
  const settings = { ...given, ...secrets };
  const row: Connection = {
    id,
    workspaceId: ctx.workspace.id,
    name,
    channel,
    provider,
    ...WORKING,
    ...(input.test === true && (await testSettings(ctx, provider, { id, config: withoutUndefined(settings) }))),
    isDefault: input.isDefault ?? false,
    messagesPerSecond: input.messagesPerSecond ?? standardRates[provider],
    ...(await sealSettings(ctx, id, provider, settings)),
    templateSyncAt: firstTemplateSync(input, ctx.now()),
    templateSyncFailures: 0,
    templateChanges: 0,
    messagingLimit: null,
    messagingLimitAt: null,
    deletedAt: null,
    createdAt: ctx.now(),
  };
  await insertConnection(ctx, row, alongside);
  const connection = await requireConnection(ctx, id);
  ctx.waitUntil(publishConnection(ctx, connection));
  return { connection, secrets };
}

interface ConnectionPatch {
  name?: string;
  messagesPerSecond?: number;
  isDefault?: boolean;
  config?: Record<string, unknown>;
}

/**
 * Changes what was sent; `config` is merged. New settings give a connection that was down another chance. Throws
 * `precondition_failed` where somebody else has changed name or rate since a form was made with what is `shown`.
 */
export async function updateConnection(
  ctx: Ctx,
  id: string,
  { config, ...change }: ConnectionPatch,
  shown: ConnectionPatch = {},
): Promise<Connection> {
  const row = await requireConnection(ctx, id);
  const settings = config === undefined ? {} : parseConfig(providers[row.provider].config.partial(), config);
  checkAddresses(ctx, settings);
  const isRevived = Object.keys(settings).length > 0 && row.status !== "active";
  const changed = {
    ...change,
    ...(await sealSettings(ctx, id, row.provider, settings)),
    ...(isRevived && { ...WORKING, statusAt: ctx.now() }),
  };
  await changeConnection(ctx, row, changed, shown);
  const after = await requireConnection(ctx, id);
  ctx.waitUntil(publishConnection(ctx, after));
  return after;
}

/**
 * Asks the provider whether these settings work; answers in a sentence, and stores the status that this shows.
 * Throws `provider_error`; `invalid_state` where no channel speaks to the provider.
 */
export async function testConnection(ctx: Ctx, id: string): Promise<string> {
  const row = await requireConnection(ctx, id);
  const channel = await loadChannel(row.provider);
  if (channel === null) {
    const message = row.statusDetail ?? "This version does not speak to the provider.";
    throw new AppError("invalid_state", message, { status: row.status });
  }
  try {
    const { detail } = await channel.test(await openConnection(ctx, row), {
      upstream: ctx.upstream,
      download: ctx.download,
    });
    if (row.status !== "active") await applyConnectionNotice(ctx, id, { status: "active", detail: null }, ctx.now());
    return detail;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.notice === null) await markTestFailed(ctx, id, error.detail);
    else await applyConnectionNotice(ctx, id, error.notice, ctx.now());
    const { detail, providerCode } = error;
    const details = { provider: row.provider, provider_code: providerCode, detail };
    throw new AppError("provider_error", `The test failed: ${detail}`, details);
  }
}

/** Ends a connection; its conversations stay readable. The caller has made sure that nothing sends through it. */
export async function deleteConnection(ctx: Ctx, id: string): Promise<Connection> {
  const row = await requireConnection(ctx, id);
  await markConnectionDeleted(ctx, id);
  await withdrawConnection(ctx, id);
  return { ...row, isDefault: false };
}
