import type { z } from "zod";
import { channelOf } from "../../channels/registry.ts";
import type { OpenConnection } from "../../channels/channel.ts";
import type { SQL } from "../../db/client.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { maskSecret } from "../../shared/crypto.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import * as repository from "./connections.repository.ts";
import { type Provider, providers } from "./connections.schemas.ts";

type Row = repository.ConnectionRow;

export type Connection = Row;

export const listConnections = repository.list;

/** Throws `not_found`, also for another workspace's. */
export async function requireConnection(ctx: Ctx, id: string): Promise<Row> {
  const row = await repository.find(ctx, id);
  if (row === null) throw notFound("connection");
  return row;
}

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

function parseConfig(
  schema: z.ZodType<Record<string, string | undefined>>,
  config: unknown,
): Record<string, string | undefined> {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw invalid(
    ...parsed.error.issues.flatMap((issue) => {
      const names = issue.code === "unrecognized_keys" ? issue.keys : [""];
      const custom = issue.code === "custom" ? String(issue.params?.["code"] ?? "invalid_value") : issue.code;
      const code = issue.code === "unrecognized_keys" ? "unknown_field" : custom;
      const path = (name: string) => ["config", ...issue.path, name].filter((part) => part !== "").join(".");
      return names.map((name) => ({ path: path(name), code, message: issue.message }));
    }),
  );
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

const randomSecret = () => crypto.getRandomValues(new Uint8Array(24)).toHex();

function initialStatus(provider: Provider): Pick<Row, "status" | "statusDetail"> {
  return channelOf(provider) === null
    ? { status: "disconnected", statusDetail: "This version of Tidings does not speak to this provider yet." }
    : { status: "active", statusDetail: null };
}

export interface NewConnection {
  name: string;
  channel: Row["channel"];
  provider: Provider;
  config: unknown;
  messagesPerSecond?: number | undefined;
  isDefault?: boolean | undefined;
}

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
  const secrets = Object.fromEntries(
    generated.filter((key) => settings[key] === undefined).map((key) => [key, randomSecret()]),
  );
  const row = {
    id,
    workspaceId: ctx.workspace.id,
    name,
    channel,
    provider,
    ...initialStatus(provider),
    isDefault: input.isDefault ?? false,
    messagesPerSecond: input.messagesPerSecond ?? standardRates[provider],
    ...(await store(ctx, id, provider, { ...settings, ...secrets })),
    deletedAt: null,
    createdAt: ctx.now(),
  };
  await repository.insert(ctx, row, alongside);
  return { connection: await requireConnection(ctx, id), secrets };
}

interface ConnectionChange {
  name?: string;
  messagesPerSecond?: number;
  isDefault?: boolean;
  config?: Record<string, unknown>;
}

/** Changes what was sent; `config` is merged. */
export async function updateConnection(ctx: Ctx, id: string, { config, ...change }: ConnectionChange): Promise<Row> {
  const row = await requireConnection(ctx, id);
  const settings = config === undefined ? {} : parseConfig(providers[row.provider].config.partial(), config);
  await repository.update(ctx, row, { ...change, ...(await store(ctx, id, row.provider, settings)) });
  return requireConnection(ctx, id);
}

/** Asks the provider whether these settings work; answers in a sentence. Throws `invalid_state` where no channel speaks to it. */
export async function testConnection(ctx: Ctx, id: string): Promise<string> {
  const row = await requireConnection(ctx, id);
  const channel = channelOf(row.provider);
  if (channel === null) throw new AppError("invalid_state", row.statusDetail ?? "", { status: row.status });
  const { detail } = await channel.test(await openConnection(ctx, row));
  return detail;
}

/** Ends a connection; its conversations stay readable. The caller has made sure that nothing sends through it. */
export async function deleteConnection(ctx: Ctx, id: string): Promise<Row> {
  const row = await requireConnection(ctx, id);
  await repository.markDeleted(ctx, id);
  return { ...row, isDefault: false };
}
