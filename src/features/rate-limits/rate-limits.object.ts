import { DurableObject } from "cloudflare:workers";
import { isAlarmLost, setAlarmAt } from "../../shared/alarms.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";
import type { KeyPolicy, KeyUsage, Verdict } from "./rate-limits.schemas.ts";
import { SlidingWindow } from "./rate-limits.window.ts";

/** An idle object can lose its memory after ten seconds, so it writes before that. */
const WRITE_MS = 8 * SECOND_MS;
const WRITES_PER_WINDOW = 10;

/**
 * Returns after how many requests the count is stored. A key that uses its full limit is thus stored ten times per
 * window, but at most once a second.
 */
const unsavedAtMost = (requests: number, windowSeconds: number): number =>
  requests / Math.min(WRITES_PER_WINDOW, windowSeconds);

/**
 * Requests are counted in memory. The count is stored after `WRITE_MS` or `unsavedAtMost` requests, whichever comes
 * first. A crash loses only the requests since then.
 */
export class KeyLimiter extends DurableObject<Env> {
  private policy: KeyPolicy | null = null;
  private window = new SlidingWindow(1, 1000);
  private alarmAt: number | null = null;
  private unsaved = 0;
  private lastUsed: { keyId: string; at: number } | null = null;
  private reportedMinute = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    void state.blockConcurrencyWhile(async () => {
      const { storage } = this.ctx;
      this.policy = (await storage.get<KeyPolicy>("policy")) ?? null;
      this.reportedMinute = (await storage.get<number>("reported_minute")) ?? 0;
      const log = await storage.get<ArrayBuffer>("log");
      if (log) this.window = SlidingWindow.restore(log);
      this.fitWindow();
    });
  }

  async setPolicy(policy: KeyPolicy): Promise<void> {
    if (this.policy && this.policy.revision > policy.revision) return;
    this.policy = policy;
    this.fitWindow();
    await this.ctx.storage.put("policy", policy);
  }

  async admit(cached: KeyPolicy): Promise<Verdict> {
    if (!this.policy || this.policy.revision < cached.revision) await this.setPolicy(cached);
    const policy = this.policy ?? cached;
    const stale = policy.revision > cached.revision;
    const now = Date.now();
    if (policy.revoked) return { outcome: "revoked" };
    if (policy.expiresAt !== null && policy.expiresAt <= now) return { outcome: "expired" };
    if (policy.requests === null) return { outcome: "plan_required" };
    const { allowed, at, remaining, resetMs, retryAfterMs } = this.window.take(now);
    const { requests, windowSeconds } = policy;
    if (allowed) {
      this.lastUsed = { keyId: policy.keyId, at: now };
      await this.noteChange(now);
      if (++this.unsaved >= unsavedAtMost(requests, windowSeconds)) await this.storeLog();
    }
    const quota = { requests, windowSeconds, remaining, resetMs };
    return allowed ? { outcome: "admitted", stale, quota, at } : { outcome: "limited", quota, retryAfterMs };
  }

  async giveBack(at: number): Promise<void> {
    this.window.giveBack(at);
    this.unsaved++;
    await this.noteChange(Date.now());
  }

  override async alarm(): Promise<void> {
    this.alarmAt = null;
    if (this.unsaved > 0) await this.storeLog();
    const used = this.lastUsed;
    const minute = used === null ? 0 : Math.floor(used.at / MINUTE_MS);
    if (used === null || minute <= this.reportedMinute) return;
    await this.env.USAGE_QUEUE.send({ keyId: used.keyId, at: minute * MINUTE_MS } satisfies KeyUsage);
    this.reportedMinute = minute;
    await this.ctx.storage.put("reported_minute", minute, { allowUnconfirmed: true });
  }

  private async storeLog(): Promise<void> {
    this.unsaved = 0;
    await this.ctx.storage.put("log", this.window.serialize(), { allowUnconfirmed: true });
  }

  private async noteChange(now: number): Promise<void> {
    if (this.alarmAt !== null && !isAlarmLost(this.alarmAt)) return;
    this.alarmAt = now + WRITE_MS;
    this.alarmAt = await setAlarmAt(this.ctx.storage, this.alarmAt, { allowUnconfirmed: true });
  }

  private fitWindow(): void {
    this.window.resize(this.policy?.requests ?? 1, (this.policy?.windowSeconds ?? 1) * 1000);
  }
}
