import { bundleStatuses } from "../../channels/queue-events.ts";
import type { StatusEvent } from "../../channels/channel-events.ts";
import type { WorkspaceRef } from "../../shared/access/workspace.ts";
import { jsonBytes } from "../../shared/text/text.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";

/** The statuses of one webhook request. A bundle is also a valid message of the statuses queue. */
export interface StatusBundle {
  v: 1;
  workspace: WorkspaceRef;
  connectionId: string;
  events: StatusEvent[];
}

/** An inbox accepts one bundle per request, and a bundle must fit into one queue message. */
export const fitsInbox = (statuses: readonly StatusEvent[]): boolean => bundleStatuses(statuses).length === 1;

/**
 * One inbox serves 100 messages a second. Each message causes three statuses, so the inbox receives 300 calls a second;
 * an object handles about 1,000 simple calls.
 */
const MESSAGES_PER_INBOX = 100;
const MAX_INBOXES = 16;

/** Statuses of one message normally go to the same inbox, where they share a write. The number of inboxes grows with the rate. */
export function inboxName(connectionId: string, messagesPerSecond: number, [first]: readonly StatusEvent[]): string {
  const inboxes = Math.min(MAX_INBOXES, Math.max(1, Math.ceil(messagesPerSecond / MESSAGES_PER_INBOX)));
  const key = first?.messageId ?? first?.providerKey ?? first?.providerMessageId ?? "";
  let hash = 0;
  for (let index = 0; index < key.length; index++) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) >>> 0;
  return `${connectionId}:${hash % inboxes}`;
}

/** An inbox hands its statuses over to the database at this interval, on average. They share one database batch. */
export const HAND_OVER_MS = 2 * SECOND_MS;
/**
 * After a pause, this many hand-overs run without a wait. A single status, for example of a direct message, is then
 * applied at once and need not be stored in the inbox.
 */
const BURST = 5;
const MAX_PAUSE_MS = 5 * MINUTE_MS;

/** Returns the earliest time of the next hand-over. The current one starts `now` and was due at `dueAt`. */
export const dueAfter = (dueAt: number, now: number): number =>
  Math.max(dueAt, now - (BURST - 1) * HAND_OVER_MS) + HAND_OVER_MS;

export const pauseAfterFailures = (failures: number): number => Math.min(HAND_OVER_MS * 2 ** failures, MAX_PAUSE_MS);

/** A block is stored as one value, which can have 2 MB. The storage can use two bytes for a character. */
const MAX_BLOCK_BYTES = 500_000;
const MAX_BLOCK_STATUSES = 500;
/** The maximum number of statuses in an inbox. Further requests use the queue. */
const MAX_HELD = 5000;

/** Bundles that are stored together, in one row. */
export interface StatusBlock {
  number: number;
  bundles: StatusBundle[];
  statuses: number;
  bytes: number;
  isStored: boolean;
}

/** The blocks of an inbox, oldest first. New statuses join the last block while it is open. */
export class StatusBlocks {
  #blocks: StatusBlock[] = [];
  #open: StatusBlock | null = null;
  #next = 0;

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  get firstBundle(): StatusBundle | undefined {
    return this.#blocks[0]?.bundles[0];
  }

  get #held(): number {
    return this.#blocks.reduce((sum, { statuses }) => sum + statuses, 0);
  }

  /** Adds the bundle to a block and returns the block. Throws if the inbox is full. */
  add(bundle: StatusBundle): StatusBlock {
    const count = bundle.events.length;
    if (this.#held + count > MAX_HELD) throw new Error(`The inbox already holds ${this.#held} statuses.`);
    const bytes = jsonBytes(bundle);
    const open = this.#open;
    const hasRoom =
      open !== null && open.statuses + count <= MAX_BLOCK_STATUSES && open.bytes + bytes <= MAX_BLOCK_BYTES;
    const block = hasRoom
      ? open
      : this.#append({ number: this.#next, bundles: [], statuses: 0, bytes: 0, isStored: false });
    this.#open = block;
    block.bundles.push(bundle);
    block.statuses += count;
    block.bytes += bytes;
    return block;
  }

  /** Adds a stored block. New statuses do not join it, because its row is already written. */
  restore(number: number, bundles: StatusBundle[]): void {
    const statuses = bundles.reduce((sum, { events }) => sum + events.length, 0);
    this.#append({ number, bundles, statuses, bytes: 0, isStored: true });
  }

  /** Returns all blocks. Later statuses join a new block. */
  close(): StatusBlock[] {
    this.#open = null;
    return [...this.#blocks];
  }

  /** Removes blocks that were handed over. Removing a block twice changes nothing. */
  release(blocks: readonly StatusBlock[]): void {
    this.#blocks = this.#blocks.filter((block) => !blocks.includes(block));
  }

  #append(block: StatusBlock): StatusBlock {
    this.#blocks.push(block);
    this.#next = block.number + 1;
    return block;
  }
}
