import { DurableObject } from "cloudflare:workers";
import { isAlarmLost, setAlarmAt } from "../../shared/alarms.ts";
import { DAY_MS, SECOND_MS } from "../../shared/time/durations.ts";
import { type FinishedRequest, type LoggedRequest, RecentRequests, type RequestFilter } from "./request-log.recent.ts";
import { DAYS_OF_USAGE_KEPT, type KeyDay, UsageOfDay, usageDay } from "./request-log.usage.ts";

/** The object stores its data after this time, because an object that is idle for longer loses its memory. */
const WRITE_MS = 5 * SECOND_MS;

const USAGE = "usage:";

/**
 * Keeps recent requests and daily counts in memory. An alarm stores them at most every five seconds, to save writes.
 */
export class RequestLog extends DurableObject<Env> {
  private recent = new RecentRequests();
  private today = new UsageOfDay(usageDay(Date.now()));
  private alarmAt: number | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    void state.blockConcurrencyWhile(async () => {
      const { storage } = this.ctx;
      this.recent = new RecentRequests(await storage.get<LoggedRequest[]>("requests"));
      const { day } = this.today;
      this.today = new UsageOfDay(day, await storage.get<KeyDay[]>(USAGE + day));
    });
  }

  async add(finished: FinishedRequest[], beyond: KeyDay[] = []): Promise<void> {
    const now = Date.now();
    if (usageDay(now) !== this.today.day) await this.beginDay(now);
    this.recent.add(finished);
    for (const request of finished) this.today.add(request);
    for (const counts of beyond) this.today.addCounts(counts);
    if (this.alarmAt !== null && !isAlarmLost(this.alarmAt)) return;
    this.alarmAt = await setAlarmAt(this.ctx.storage, now + WRITE_MS, { allowUnconfirmed: true });
  }

  list(filter: RequestFilter, limit: number, before?: number): LoggedRequest[] {
    return this.recent.list(filter, limit, before);
  }

  find(number: number): LoggedRequest | null {
    return this.recent.find(number);
  }

  async usage(since: string): Promise<KeyDay[]> {
    const { day, all } = this.today;
    if (day < since) return [];
    const stored = await this.ctx.storage.list<KeyDay[]>({ start: USAGE + since, end: USAGE + day });
    return [...stored.values(), all].flat();
  }

  /** The platform repeats an alarm that throws, so a failed write is repeated. */
  override async alarm(): Promise<void> {
    this.alarmAt = null;
    await this.ctx.storage.put("requests", this.recent.all, { allowUnconfirmed: true });
    await this.storeUsage();
  }

  private async beginDay(now: number): Promise<void> {
    await this.storeUsage();
    this.today = new UsageOfDay(usageDay(now));
    const { storage } = this.ctx;
    const oldest = usageDay(now - DAYS_OF_USAGE_KEPT * DAY_MS);
    await storage.delete([...(await storage.list({ prefix: USAGE, end: USAGE + oldest, limit: 100 })).keys()]);
  }

  private async storeUsage(): Promise<void> {
    await this.ctx.storage.put(USAGE + this.today.day, this.today.all, { allowUnconfirmed: true });
  }
}
