import * as z from "zod";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { storeDeadEvent, storeDeadEventWithFallback, storePoisonMessage } from "./dead-events.service.ts";
import { eventEnvelope, eventMessage } from "./inbound.schemas.ts";
import { handleEvents } from "./inbound.service.ts";

/** Applies messages of the events and statuses queues. Both accept either kind, because earlier versions mixed them. */
export const consumeEvents = (base: BaseCtx, messages: readonly unknown[]): Promise<void> =>
  handleEvents(base, z.array(eventMessage).parse(messages));

const hasDatabase = ({ shardCount }: BaseCtx, shard: number): boolean =>
  Number.isInteger(shard) && shard >= 0 && shard < shardCount;

/** Stores a failed message with `store`, or in the bucket if it names no workspace with a database. */
const storeFailedBy =
  (store: typeof storeDeadEvent) =>
  (base: BaseCtx, message: unknown, at: number): Promise<void> => {
    const { data } = eventEnvelope.safeParse(message);
    const hasShard = data !== undefined && hasDatabase(base, data.workspace.shard);
    return hasShard ? store(forWorkspace(base, data.workspace), message, at) : storePoisonMessage(base, message, at);
  };

/** Stores an event that fails although storage works. Throws if the database fails. */
export const storeFailedEvent = storeFailedBy(storeDeadEvent);

/** Stores an event after the queue's last attempt, in the database or else in the bucket. */
export const storeGivenUpEvent = storeFailedBy(storeDeadEventWithFallback);
