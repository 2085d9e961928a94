// A campaign's rates, and the median rates of earlier campaigns. Pure.
import type { Tally } from "../campaigns.progress.ts";

/** Shares from 0 to 1 of the messages that the provider accepted or refused. */
export interface CampaignRates {
  delivered: number;
  read: number;
  failed: number;
}

/** Null if nothing was sent. */
export function ratesOf({ sent, delivered, read, failed, unknown }: Tally): CampaignRates | null {
  const attempted = sent + delivered + read + failed + unknown;
  if (attempted === 0) return null;
  return { delivered: (delivered + read) / attempted, read: read / attempted, failed: failed / attempted };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [below = 0, above = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (below + above) / 2;
}

/** The median rates of several campaigns; null if none has sent. */
export function medianRates(tallies: readonly Tally[]): (CampaignRates & { campaigns: number }) | null {
  const rates = tallies.map(ratesOf).filter((each) => each !== null);
  if (rates.length === 0) return null;
  const medianOf = (name: keyof CampaignRates) => median(rates.map((each) => each[name]));
  return {
    campaigns: rates.length,
    delivered: medianOf("delivered"),
    read: medianOf("read"),
    failed: medianOf("failed"),
  };
}
