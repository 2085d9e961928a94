// How often passwords may be tried: rules without I/O.
import { DAY_MS, MINUTE_MS } from "../../shared/durations.ts";
import type { Device } from "./members.tokens.ts";

/** Counts begin anew after this. */
export const WINDOW_MS = 15 * MINUTE_MS;

/** How long a network that a user has signed in from counts as known. */
export const KNOWN_MS = 90 * DAY_MS;

/** Passwords tried within the window: from a device that knows the account, on one account from one network, from one network, on one account. */
export const LIMITS = { device: 5, pair: 5, network: 50, account: 100 };

export interface Counter {
  key: string;
  limit: number;
}

/**
 * Counters, narrow before wide. An attempt that one of them refuses does not count towards those after it: hammering from
 * one network must not spend the account for everybody.
 */
export type Chain = readonly Counter[];

export interface Lanes {
  /** Of the device's own user only: null without a known device. */
  device: Chain | null;
  /** Of users who have signed in from this network before. */
  known: Chain;
  /** Of anybody. */
  open: Chain;
}

/** Which counters decide on trying a password. A user who has signed in from this device or network is not locked out with the account. */
export function lanesFor(email: string, network: string, device: Device | null): Lanes {
  const pair = { key: `pair ${email} ${network}`, limit: LIMITS.pair };
  const address = { key: `address ${network}`, limit: LIMITS.network };
  const account = { key: `account ${email}`, limit: LIMITS.account };
  return {
    device: device === null ? null : [{ key: `device ${device.id}`, limit: LIMITS.device }],
    known: [pair, address],
    open: [pair, address, account],
  };
}

/** Somebody whose password may be the one that was typed. */
export interface Candidate {
  id: string;
  knowsNetwork: boolean;
}

/** Those whose passwords may be compared; null when not even an unknown email's may. */
export function comparable<T extends Candidate>(
  candidates: readonly T[],
  lanes: Lanes,
  device: Device | null,
  isSpent: (counter: Counter) => boolean,
): T[] | null {
  const isFree = (chain: Chain | null) => chain !== null && !chain.some(isSpent);
  if (isFree(lanes.open)) return [...candidates];
  const found = candidates.filter(
    ({ id, knowsNetwork }) => (isFree(lanes.device) && id === device?.userId) || (isFree(lanes.known) && knowsNetwork),
  );
  return found.length === 0 ? null : found;
}
