import type { z } from "zod";
import { type ConnectionNotice, type OpenConnection, ProviderError } from "../../channels/channel.ts";
import { channelOf } from "../../channels/registry.ts";
import type { SQL } from "../../db/statement.ts";
import { faultOfAddress } from "../../shared/addresses.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { maskSecret, randomBytes } from "../../shared/crypto.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { REPORT, toFaults } from "../../shared/faults.ts";
import * as repository from "./connections.sql.ts";
import { pauseMs } from "./connections.retests.ts";
import { type Provider, providers } from "./connections.schemas.ts";
import { publishConnection, withdrawConnection } from "./publish-connection.ts";
import { noteFailedTest } from "./retest-connections.sql.ts";

type Row = repository.ConnectionRow;

export type Connection = Row;

export const listConnections = repository.list;

/** Null where there is none, or none any more. */
export const findConnection = repository.find;

/** Throws `not_found`, also for another workspace's. */
export async function requireConnection(ctx: Ctx, id: string): Promise<Row> {
  const row = await repository.find(ctx, id);
  if (row === null) throw notFound("connection");
  return row;
}

/** The provider's names for the events that its webhook must be sent. */
export const webhookEventsOf = (provider: Provider): readonly string[] => channelOf(provider)?.webhook?.events ?? [];

const aad = (connectionId: string, name: string) => `${connectionId}.${name}`;

/** Settings and secrets of a connection as its channel needs them. */
export async function openConnection(
  ctx: BaseCtx,
  { id, config, secrets }: Pick<Row, "id" | "config" | "secrets">,
): Promise<OpenConnection> {
  const opened = await Promise.all(
    Object.entries(secrets).map(
      async ([name, { sealed }]) => [name, await ctx.secrets.open(sealed, aad(id, name))] as const,
    ),
  );
  return { id, config: { ...config, ...Object.fromEntries(opened) } };
}

/** The same, or null where the secrets cannot be opened: a fault of ours, which may pass. */
export async function tryOpenConnection(
  ctx: BaseCtx,
  connection: Pick<Row, "id" | "config" | "secrets">,
): Promise<OpenConnection | null> {
  try {
    return await openConnection(ctx, connection);
  } catch (error) {
    log.error("connection_not_opened", { requestId: ctx.requestId, connectionId: connection.id, error });
    return null;
  }
}

function parseConfig(
  schema: z.ZodType<Record<string, string | undefined>>,
  config: unknown,
): Record<string, string | undefined> {
  const parsed = schema.safeParse(config, REPORT);
  if (parsed.success) return parsed.data;
  throw invalid(toFaults(parsed.error, "config"));
}

/** Splits settings into what may be shown and what is sealed. */
async function store(ctx: Ctx, id: string, provider: Provider, settings: Record<string, string | undefined>) {
  const secretNames: readonly string[] = providers[provider].secrets;
  const config: Row["config"] = {};
  const secrets: Row["secrets"] = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    if (secretNames.includes(name))
      secrets[name] = { sealed: await ctx.secrets.seal(value, aad(id, name)), hint: maskSecret(value) };
    else config[name] = value;
  }
  return { config, secrets };
}

const randomSecret = () => randomBytes(24).toHex();

/** The settings that say where a provider is. */
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
  channel: Row["channel"];
  provider: Provider;
  config: unknown;
  messagesPerSecond?: number | undefined;
  isDefault?: boolean | undefined;
  /** Whether the provider is asked first; where it refuses, the connection is made all the same, and shows why. */
  test?: boolean;
}

type Condition = Pick<Row, "status" | "statusDetail" | "statusAt" | "unreachableSince" | "retestAt">;

const WORKING: Condition = {
  status: "active",
  statusDetail: null,
  statusAt: null,
  unreachableSince: null,
  retestAt: null,
};

/** The state of a connection by a test of its settings. Without an answer it is tested again each minute. */
async function tryOut(ctx: Ctx, provider: Provider, connection: OpenConnection): Promise<Condition> {
  const statusAt = ctx.now();
  try {
    await channelOf(provider)?.test(connection, { upstream: ctx.upstream });
    return { ...WORKING, statusAt };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { detail, notice } = error;
    if (notice !== null) return { ...WORKING, status: notice.status ?? "error", statusDetail: notice.detail, statusAt };
    const retests = { unreachableSince: statusAt, retestAt: statusAt + pauseMs(0) };
    return { status: "error", statusDetail: detail, statusAt, ...retests };
  }
}

const definedOf = (settings: Record<string, string | undefined>): Record<string, string> =>
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
  const settings = parseConfig(schema, input.config);
  checkAddresses(ctx, settings);
  const secrets = Object.fromEntries(
    generated.filter((key) => settings[key] === undefined).map((key) => [key, randomSecret()]),
  );
  const row: Row = {
    id,
    workspaceId: ctx.workspace.id,
    name,
    channel,
    provider,
    ...WORKING,
    ...(input.test === true && (await tryOut(ctx, provider, { id, config: definedOf({ ...settings, ...secrets }) }))),
    isDefault: input.isDefault ?? false,
    messagesPerSecond: input.messagesPerSecond ?? standardRates[provider],
    ...(await store(ctx, id, provider, { ...settings, ...secrets })),
    deletedAt: null,
    createdAt: ctx.now(),
  };
  await repository.insert(ctx, row, alongside);
  const connection = await requireConnection(ctx, id);
  ctx.waitUntil(publishConnection(ctx, connection));
  return { connection, secrets };
}

interface ConnectionChange {
  name?: string;
  messagesPerSecond?: number;
  isDefault?: boolean;
  config?: Record<string, unknown>;
}

/** Changes what was sent; `config` is merged. New settings give a connection that was down another chance. */
export async function updateConnection(ctx: Ctx, id: string, { config, ...change }: ConnectionChange): Promise<Row> {
  const row = await requireConnection(ctx, id);
  const settings = config === undefined ? {} : parseConfig(providers[row.provider].config.partial(), config);
  checkAddresses(ctx, settings);
  const revived = Object.keys(settings).length > 0 && row.status !== "active";
  await repository.update(ctx, row, {
    ...change,
    ...(await store(ctx, id, row.provider, settings)),
    ...(revived && {
      ...WORKING,
      statusAt: ctx.now(),
    }),
  });
  const changed = await requireConnection(ctx, id);
  ctx.waitUntil(publishConnection(ctx, changed));
  return changed;
}

/** Notes what a provider said of a connection at `at`, unless something later is known. */
export const applyNotice = (ctx: Ctx, id: string, notice: ConnectionNotice, at: number): Promise<void> =>
  repository.applyNotice(ctx, id, notice, at);

/**
 * Asks the provider whether these settings work; answers in a sentence, and notes on the connection what it learned.
 * Throws `provider_error`; `invalid_state` where no channel speaks to the provider.
 */
export async function testConnection(ctx: Ctx, id: string): Promise<string> {
  const row = await requireConnection(ctx, id);
  const channel = channelOf(row.provider);
  if (channel === null) throw new AppError("invalid_state", row.statusDetail ?? "", { status: row.status });
  try {
    const { detail } = await channel.test(await openConnection(ctx, row), { upstream: ctx.upstream });
    if (row.status !== "active") await applyNotice(ctx, id, { status: "active", detail: null }, ctx.now());
    return detail;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.notice === null) await noteFailedTest(ctx, id, error.detail);
    else await applyNotice(ctx, id, error.notice, ctx.now());
    throw providerRefusal(row.provider, error);
  }
}

/** How a provider's refusal of an interactive call is answered. */
const providerRefusal = (provider: string, { detail, providerCode }: ProviderError): AppError =>
  new AppError("provider_error", `The test failed: ${detail}`, { provider, provider_code: providerCode, detail });

/** Ends a connection; its conversations stay readable. The caller has made sure that nothing sends through it. */
export async function deleteConnection(ctx: Ctx, id: string): Promise<Row> {
  const row = await requireConnection(ctx, id);
  await repository.markDeleted(ctx, id);
  await withdrawConnection(ctx, id);
  return { ...row, isDefault: false };
}
