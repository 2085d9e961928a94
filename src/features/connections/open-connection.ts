import type { OpenConnection } from "../../channels/channel.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { maskSecret } from "../../shared/security/crypto.ts";
import { log } from "../../shared/logger.ts";
import { providers, type Connection } from "./connections.schemas.ts";
import type { Provider } from "../../channels/providers.ts";

/** Binds an encrypted secret to its connection and setting, so that a copy in another row cannot be decrypted. */
const sealingContext = (connectionId: string, name: string) => `${connectionId}.${name}`;

type StoredSettings = Pick<Connection, "config" | "secrets">;

export async function sealSettings(
  ctx: Ctx,
  id: string,
  provider: Provider,
  settings: Record<string, string | undefined>,
): Promise<StoredSettings> {
  const secretNames: readonly string[] = providers[provider].secrets;
  const config: Connection["config"] = {};
  const secrets: Connection["secrets"] = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    if (secretNames.includes(name))
      secrets[name] = { sealed: await ctx.secrets.seal(value, sealingContext(id, name)), hint: maskSecret(value) };
    else config[name] = value;
  }
  return { config, secrets };
}

export async function openConnection(
  ctx: BaseCtx,
  { id, config, secrets }: StoredSettings & { id: string },
): Promise<OpenConnection> {
  const opened = await Promise.all(
    Object.entries(secrets).map(
      async ([name, { sealed }]) => [name, await ctx.secrets.open(sealed, sealingContext(id, name))] as const,
    ),
  );
  return { id, config: { ...config, ...Object.fromEntries(opened) } };
}

/** Returns null if the secrets cannot be decrypted. The cause can be temporary. */
export async function tryOpenConnection(
  ctx: BaseCtx,
  connection: StoredSettings & { id: string },
): Promise<OpenConnection | null> {
  try {
    return await openConnection(ctx, connection);
  } catch (error) {
    log.error("connection_not_opened", { requestId: ctx.requestId, connectionId: connection.id, error });
    return null;
  }
}
