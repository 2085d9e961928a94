/** The requests that a key made in a day (UTC). */
export interface KeyDay {
  /** `2026-11-23` */
  day: string;
  keyId: string;
  requests: number;
  errors: number;
}

type Counts = Pick<KeyDay, "requests" | "errors">;

export const DAYS_OF_USAGE_KEPT = 90;

/** The day (UTC) of a time in ms since the epoch. */
export const usageDay = (at: number): string => new Date(at).toISOString().slice(0, "2026-11-23".length);

/** How often each key was used in a day. */
export class UsageOfDay {
  private readonly counts: Map<string, Counts>;

  constructor(
    readonly day: string,
    stored: readonly KeyDay[] = [],
  ) {
    this.counts = new Map(stored.map(({ keyId, requests, errors }) => [keyId, { requests, errors }]));
  }

  add({ keyId, status, repeats = 0 }: { keyId: string; status: number; repeats?: number }): void {
    const { requests, errors } = this.counts.get(keyId) ?? { requests: 0, errors: 0 };
    const count = 1 + repeats;
    this.counts.set(keyId, { requests: requests + count, errors: errors + (status >= 400 ? count : 0) });
  }

  get all(): KeyDay[] {
    return [...this.counts].map(([keyId, counts]) => ({ day: this.day, keyId, ...counts }));
  }
}
