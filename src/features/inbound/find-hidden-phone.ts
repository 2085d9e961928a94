import * as z from "zod";
import { ProviderError } from "../../channels/channel.ts";
import type { Person } from "../../channels/channel-events.ts";
import { loadChannel } from "../../channels/registry.ts";
import type { Ctx } from "../../shared/context.ts";
import { HOUR_MS } from "../../shared/time/durations.ts";
import { log } from "../../shared/logger.ts";
import { findConnection } from "../connections/connections.sql.ts";
import { tryOpenConnection } from "../connections/open-connection.ts";

/**
 * How long a cached result is used. A found number expires because people change their numbers; a missing number
 * expires sooner, because the provider might know it later.
 */
const FOUND_TRUSTED_MS = 24 * HOUR_MS;
const NOT_FOUND_TRUSTED_MS = HOUR_MS;

const cachedAnswer = z.object({ phone: z.string().nullable(), at: z.number() }).nullable().catch(null);

const isFresh = ({ phone, at }: { phone: string | null; at: number }, now: number) =>
  now - at < (phone === null ? NOT_FOUND_TRUSTED_MS : FOUND_TRUSTED_MS);

export interface PhoneFinder {
  /**
   * Looks up the phone number that the provider hides, and returns the person with it. Returns `failed` if the query at
   * the provider failed.
   */
  find(ctx: Ctx, connectionId: string, person: Person): Promise<Person | "failed">;
}

export function createPhoneFinder(): PhoneFinder {
  const failedConnections = new Set<string>();

  async function findPhone(ctx: Ctx, connectionId: string, userId: string): Promise<string | null> {
    const key = `phone:${connectionId}:${userId}`;
    const cached = cachedAnswer.parse(await ctx.cache.get(key));
    if (cached !== null && isFresh(cached, ctx.now())) return cached.phone;
    if (failedConnections.has(connectionId)) throw new ProviderError("The provider is currently unavailable.");
    const connection = await findConnection(ctx, connectionId);
    const channel = await loadChannel(connection?.provider ?? "");
    if (connection === null || channel?.findPhone === undefined) return null;
    const opened = await tryOpenConnection(ctx, connection);
    if (opened === null) throw new ProviderError("The connection's secrets could not be decrypted.");
    const phone = await channel.findPhone(opened, userId, { upstream: ctx.upstream, download: ctx.download });
    await ctx.cache.put(key, { phone, at: ctx.now() }, { ttlSeconds: FOUND_TRUSTED_MS / 1000 });
    return phone;
  }

  return {
    async find(ctx, connectionId, person) {
      if (person.isPhoneHidden !== true || person.phone !== null || person.userId === null) return person;
      try {
        return { ...person, phone: await findPhone(ctx, connectionId, person.userId) };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        failedConnections.add(connectionId);
        log.error("hidden_phone_lookup_failed", { connectionId, detail: error.detail });
        return "failed";
      }
    },
  };
}
