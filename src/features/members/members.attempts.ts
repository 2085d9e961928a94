import { DAY_MS, MINUTE_MS } from "../../shared/time/durations.ts";
import type { Device } from "./members.tokens.ts";

export const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;

/** After a sign-in, its network counts as known to the user for this time. */
export const NETWORK_KNOWN_MS = 90 * DAY_MS;

export const ATTEMPT_LIMITS = { device: 5, pair: 5, network: 50, account: 100 };

export interface Counter {
  key: string;
  limit: number;
}

/**
 * Counters from narrow to wide. An attempt that exceeds a narrow limit does not count in wider ones, so one network
 * cannot lock the account for everyone.
 */
export type CounterChain = readonly Counter[];

export interface CounterChains {
  device: CounterChain | null;
  known: CounterChain;
  open: CounterChain;
}

/**
 * A known device and a known network have their own counters. Their users can sign in even if the limit of the account
 * is reached.
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

export interface Candidate {
  id: string;
  knowsNetwork: boolean;
}

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
