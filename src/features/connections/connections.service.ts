import type { z } from "zod";
import { ProviderError } from "../../channels/channel.ts";
import { loadChannel } from "../../channels/registry.ts";
import { transact } from "../../db/statement.ts";
import { faultOfAddress } from "../../shared/addresses.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { REPORT, toFaults } from "../../shared/faults.ts";
import { applyConnectionNotice, markTestFailed } from "./connection-status.sql.ts";
import { changedRate } from "./connections.rates.ts";
import { type Provider, providers } from "./connections.schemas.ts";
import {
  changeConnection,
  type ConnectionRow,
  findConnection,
  markConnectionDeleted,
  selectConnections,
} from "./connections.sql.ts";
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

export type ConnectionSettings = Record<string, string | undefined>;

/** Throws `validation_failed`. */
export function parseConfig(schema: z.ZodType<ConnectionSettings>, config: unknown): ConnectionSettings {
  const parsed = schema.safeParse(config, REPORT);
  if (parsed.success) return parsed.data;
  throw invalid(toFaults(parsed.error, "config"));
}

/** The settings that hold a provider's address. */
const ADDRESSES = ["api_base", "base_url"];

/** Throws `validation_failed` for an address that may not be called. */
export function checkAddresses(ctx: Ctx, settings: ConnectionSettings): void {
  const faults = ADDRESSES.flatMap((name) => {
    const address = settings[name];
    const message = address === undefined ? null : faultOfAddress(address, { allowPrivate: ctx.allowPrivateUpstreams });
    return message === null ? [] : [{ path: `config.${name}`, code: "invalid_address", message }];
  });
  if (faults.length > 0) throw invalid(faults);
}

export type StatusFields = Pick<Connection, "status" | "statusDetail" | "statusAt" | "unreachableSince" | "retestAt">;

export const WORKING: StatusFields = {
  status: "active",
  statusDetail: null,
  statusAt: null,
  unreachableSince: null,
  retestAt: null,
};

interface ConnectionPatch {
  name?: string;
  messagesPerSecond?: number;
  isDefault?: boolean;
  config?: Record<string, unknown>;
}

/** True of settings that more than the provider's webhook uses. */
async function changesSending(provider: Provider, settings: ConnectionSettings): Promise<boolean> {
  const ofWebhook = (await loadChannel(provider))?.webhook?.secrets ?? [];
  return Object.keys(settings).some((name) => !ofWebhook.includes(name));
}

/**
 * Changes what was sent; `config` is merged. New settings for sending give a connection that was down another chance. Throws
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
  const isRevived = row.status !== "active" && (await changesSending(row.provider, settings));
  const messagesPerSecond = changedRate(row, settings, change.messagesPerSecond);
  const changed = {
    ...change,
    ...(messagesPerSecond !== undefined && { messagesPerSecond }),
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
