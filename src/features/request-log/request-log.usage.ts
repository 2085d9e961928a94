export interface KeyDay {
  day: string;
  keyId: string;
  requests: number;
  errors: number;
}

type Counts = Pick<KeyDay, "requests" | "errors">;

export const DAYS_OF_USAGE_KEPT = 90;

export const usageDay = (at: number): string => new Date(at).toISOString().slice(0, "2026-11-23".length);

export class UsageOfDay {
  private readonly counts: Map<string, Counts>;

  constructor(
    readonly day: string,
    stored: readonly KeyDay[] = [],
  ) {
    this.counts = new Map(stored.map(({ keyId, requests, errors }) => [keyId, { requests, errors }]));
  }

  add({ keyId, status, repeats = 0 }: { keyId: string; status: number; repeats?: number }): void {
    const requests = 1 + repeats;
    this.addCounts({ keyId, requests, errors: status >= 400 ? requests : 0 });
  }

  addCounts({ keyId, requests, errors }: Omit<KeyDay, "day">): void {
    const before = this.counts.get(keyId) ?? { requests: 0, errors: 0 };
    this.counts.set(keyId, { requests: before.requests + requests, errors: before.errors + errors });
  }

  get all(): KeyDay[] {
    return [...this.counts].map(([keyId, counts]) => ({ day: this.day, keyId, ...counts }));
  }
}
