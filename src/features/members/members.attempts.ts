// The limits on trying passwords: rules without I/O.
import { DAY_MS, MINUTE_MS } from "../../shared/time/durations.ts";
import type { Device } from "./members.tokens.ts";

/** A counter begins anew after this. */
export const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;

/** A network that a user has signed in from counts as known for so long. */
export const NETWORK_KNOWN_MS = 90 * DAY_MS;

/**
 * Passwords tried within the window: from a device that knows the account, on one account from one network, from one network, on
 * one account.
 */
export const ATTEMPT_LIMITS = { device: 5, pair: 5, network: 50, account: 100 };

export interface Counter {
  key: string;
  limit: number;
}

/**
 * Counters, narrow before wide. An attempt that one of them refuses does not count towards those after it: hammering from
 * one network must not spend the account for everybody.
 */
export type CounterChain = readonly Counter[];

/** The chains that an attempt is counted along, by the users whose passwords each of them lets compare. */
export interface CounterChains {
  /** The device's own user only; null without a known device. */
  device: CounterChain | null;
  /** Users who have signed in from this network before. */
  known: CounterChain;
  /** Any user of the email. */
  open: CounterChain;
}

/**
 * The counters that decide on trying a password. A user who has signed in from this device or network is not locked out with the
 * account.
 */
export function counterChainsFor(email: string, network: string, device: Device | null): CounterChains {
  const pair = { key: `pair ${email} ${network}`, limit: ATTEMPT_LIMITS.pair };
  const address = { key: `address ${network}`, limit: ATTEMPT_LIMITS.network };
  const account = { key: `account ${email}`, limit: ATTEMPT_LIMITS.account };
  return {
    device: device === null ? null : [{ key: `device ${device.id}`, limit: ATTEMPT_LIMITS.device }],
    known: [pair, address],
    open: [pair, address, account],
  };
}

/** A user whose password may be the one that was typed. */
export interface Candidate {
  id: string;
  knowsNetwork: boolean;
}

/** The users whose passwords may be compared; null when not even that of an unknown email may. */
export function comparableUsers<T extends Candidate>(
  candidates: readonly T[],
  chains: CounterChains,
  device: Device | null,
  isSpent: (counter: Counter) => boolean,
): T[] | null {
  const isFree = (chain: CounterChain | null) => chain !== null && !chain.some(isSpent);
  if (isFree(chains.open)) return [...candidates];
  const found = candidates.filter(
    ({ id, knowsNetwork }) =>
      (isFree(chains.device) && id === device?.userId) || (isFree(chains.known) && knowsNetwork),
  );
  return found.length === 0 ? null : found;
}
