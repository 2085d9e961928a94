import { setAlarmAt, setAlarmBy } from "../../shared/alarms.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import {
  type StatusBlock,
  HAND_OVER_MS,
  dueAfter,
  pauseAfterFailures,
  StatusBlocks,
  type StatusBundle,
} from "./status-blocks.ts";
import { consumeEvents } from "./inbound.jobs.ts";

const PREFIX = "block:";
/** Zero-padded, because storage sorts keys as text. */
const keyOf = ({ number }: StatusBlock): string => PREFIX + String(number).padStart(12, "0");

/** The platform can lose an alarm. If the alarm is this late, a timer in memory hands over instead. */
const LATE_ALARM_MS = HAND_OVER_MS;

/**
 * This long after statuses were stored, a queue message checks the inbox, because the alarm and the timer can both be
 * lost.
 */
const CHECK_MS = 20 * MINUTE_MS;
/** A check covers statuses that are stored within this time. It is shorter than `CHECK_MS`, because clocks differ. */
const CHECKED_MS = CHECK_MS - MINUTE_MS;

/**
 * A hand-over that takes longer is stuck, because a database statement takes at most 30 seconds. The alarm then starts
 * another one.
 */
const LOST_MS = 2 * MINUTE_MS;

/**
 * Collects statuses from a connection's webhook, and applies them in batches. `accept` returns when its statuses are
 * safe, which means stored in this object, applied, or queued.
 */
export class StatusInboxWork {
  private readonly blocks = new StatusBlocks();
  /** The blocks that are not safe yet. Callers of `accept` wait for the promise of their block. */
  private readonly unsafe = new Map<StatusBlock, PromiseWithResolvers<void>>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private lateAlarmTimer: ReturnType<typeof setTimeout> | undefined;
  /** The start of the last hand-over, and whether it still runs. */
  private startedAt = -Infinity;
  private isRunning = false;
  /** The earliest time of the next hand-over. */
  private dueAt = -Infinity;
  private failures = 0;
  /** The last queued check covers statuses that are stored until this time. */
  private checkedUntil = -Infinity;

  private constructor(
    private readonly ctx: DurableObjectState,
    private readonly createCtx: () => BaseCtx,
  ) {}

  /** Loads the stored blocks. Also sets the alarm again, because the platform can lose an alarm. */
  static async open(ctx: DurableObjectState, createCtx: () => BaseCtx): Promise<StatusInboxWork> {
    const inbox = new StatusInboxWork(ctx, createCtx);
    for (const [key, bundles] of ctx.storage.kv.list<StatusBundle[]>({ prefix: PREFIX }))
      inbox.blocks.restore(Number(key.slice(PREFIX.length)), bundles);
    if (!inbox.blocks.isEmpty) await setAlarmBy(ctx.storage, Date.now());
    return inbox;
  }

  /** Returns when the statuses are safe. Throws if they are not, and the webhook then queues them. */
  async accept(bundle: StatusBundle): Promise<void> {
    const block = this.blocks.add(bundle);
    const caller = this.unsafe.get(block) ?? Promise.withResolvers<void>();
    this.unsafe.set(block, caller);
    this.timer ??= setTimeout(() => void this.flush(), this.createCtx().statusFlushMs);
    void this.handOverIfDue();
    await caller.promise;
  }

  /**
   * Stores the blocks that are not safe. This includes blocks that are being handed over, so that a slow shard does not
   * delay callers.
   */
  async flush(): Promise<void> {
    this.stopTimer();
    const unsafe = [...this.unsafe];
    this.unsafe.clear();
    try {
      for (const [block] of unsafe) {
        this.ctx.storage.kv.put(keyOf(block), block.bundles);
        block.isStored = true;
      }
      if (!this.blocks.isEmpty) await this.planHandOver();
      for (const [, { resolve }] of unsafe) resolve();
    } catch (error) {
      for (const [, { reject }] of unsafe) reject(error);
    }
  }

  private async planHandOver(): Promise<void> {
    clearTimeout(this.lateAlarmTimer);
    const late = Math.max(0, this.dueAt - Date.now()) + LATE_ALARM_MS;
    this.lateAlarmTimer = setTimeout(() => void this.handOverIfDue(), late);
    await setAlarmBy(this.ctx.storage, this.dueAt);
    this.queueCheck();
  }

  /** Queues a check of the stored statuses, unless an earlier check covers them. */
  private queueCheck(): void {
    const bundle = this.blocks.firstBundle;
    if (bundle === undefined || Date.now() <= this.checkedUntil) return;
    this.checkedUntil = Date.now() + CHECKED_MS;
    const { v, workspace, connectionId } = bundle;
    const check = { v, workspace, connectionId, events: [], inboxId: this.ctx.id.toString() };
    const base = this.createCtx();
    const queued = base.queues.statuses([check], { delayMs: CHECK_MS }).catch((error: unknown) => {
      this.checkedUntil = -Infinity;
      log.error("status_inbox_check_not_queued", { connectionId, error });
    });
    base.waitUntil(queued);
  }

  /** Hands over stored statuses now. Both the alarm and a check call this. */
  async alarm(): Promise<void> {
    if (this.blocks.isEmpty) return;
    const isLost = Date.now() >= this.startedAt + LOST_MS;
    if (this.isRunning && !isLost) await setAlarmAt(this.ctx.storage, Date.now() + HAND_OVER_MS);
    else await this.handOver();
  }

  private async handOverIfDue(): Promise<void> {
    while (!this.isRunning && !this.blocks.isEmpty && Date.now() >= this.dueAt) await this.handOver();
  }

  /** Never throws. Blocks that neither the shard nor the queue accepts are stored, and the alarm tries again. */
  private async handOver(): Promise<void> {
    this.isRunning = true;
    this.startedAt = Date.now();
    this.dueAt = dueAfter(this.dueAt, this.startedAt);
    const blocks = this.blocks.close();
    try {
      await this.applyOrQueue(blocks.flatMap(({ bundles }) => bundles));
      this.failures = 0;
      this.release(blocks);
    } catch (error) {
      this.failures++;
      this.dueAt = Date.now() + pauseAfterFailures(this.failures);
      log.error("statuses_not_handed_over", { blocks: blocks.length, failures: this.failures, error });
      await this.flush();
    } finally {
      this.isRunning = false;
    }
  }

  /**
   * Queues the bundles if they cannot be applied, because the queue has retries and applies bundles one by one if they
   * fail together. A repeated call changes nothing.
   */
  private async applyOrQueue(bundles: StatusBundle[]): Promise<void> {
    const base = this.createCtx();
    try {
      await consumeEvents(base, bundles);
    } catch (error) {
      log.error("statuses_left_to_queue", { connectionId: bundles[0]?.connectionId, count: bundles.length, error });
      await base.queues.statuses(bundles);
    }
  }

  private release(blocks: StatusBlock[]): void {
    this.blocks.release(blocks);
    for (const block of blocks) {
      if (block.isStored) this.ctx.storage.kv.delete(keyOf(block));
      this.unsafe.get(block)?.resolve();
      this.unsafe.delete(block);
    }
    if (this.unsafe.size === 0) this.stopTimer();
    if (this.blocks.isEmpty) clearTimeout(this.lateAlarmTimer);
  }

  private stopTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
