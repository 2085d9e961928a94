import * as z from "zod";
import { ProviderError } from "../../channels/channel.ts";
import type { Person } from "../../channels/people.ts";
import { channelOf } from "../../channels/registry.ts";
import type { Ctx } from "../../shared/context.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import { log } from "../../shared/logger.ts";
import { findConnection } from "../connections/connections.sql.ts";
import { tryOpenConnection } from "../connections/open-connection.ts";

/** How long an answer is trusted: people change numbers, and a number not known today may be tomorrow. */
const KNOWN_MS = 24 * HOUR_MS;
const UNKNOWN_MS = HOUR_MS;

const cached = z.object({ phone: z.string().nullable(), at: z.number() }).nullable().catch(null);

const isFresh = ({ phone, at }: { phone: string | null; at: number }, now: number) =>
  now - at < (phone === null ? UNKNOWN_MS : KNOWN_MS);

export interface PhoneFinder {
  /** The person with the number that the provider knows behind a hidden one. `failed`: it could not be asked now. */
  find(ctx: Ctx, connectionId: string, person: Person): Promise<Person | "failed">;
}

/** Asks providers for numbers behind ids; in one run, no connection any more that could not be asked once. */
export function createPhoneFinder(): PhoneFinder {
  const unreachable = new Set<string>();

  async function ask(ctx: Ctx, connectionId: string, userId: string): Promise<string | null> {
    const key = `phone:${connectionId}:${userId}`;
    const known = cached.parse(await ctx.cache.get(key));
    if (known !== null && isFresh(known, ctx.now())) return known.phone;
    if (unreachable.has(connectionId)) throw new ProviderError("The provider could not be asked just now.");
    const connection = await findConnection(ctx, connectionId);
    const channel = channelOf(connection?.provider ?? "");
    if (connection === null || channel?.findPhone === undefined) return null;
    const opened = await tryOpenConnection(ctx, connection);
    if (opened === null) throw new ProviderError("The connection's settings could not be opened.");
    const phone = await channel.findPhone(opened, userId, { upstream: ctx.upstream });
    await ctx.cache.put(key, { phone, at: ctx.now() }, { ttlSeconds: KNOWN_MS / 1000 });
    return phone;
  }

  return {
    async find(ctx, connectionId, person) {
      if (person.isPhoneHidden !== true || person.phone !== null || person.userId === null) return person;
      try {
        return { ...person, phone: await ask(ctx, connectionId, person.userId) };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        unreachable.add(connectionId);
        log.error("phone_not_found_out", { connectionId, detail: error.detail });
        return "failed";
      }
    },
  };
}
