import * as z from "zod";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { storeDeadEvent, storeDeadEventAnywhere, storePoison } from "./dead-events.service.ts";
import { envelope, eventMessage } from "./inbound.schemas.ts";
import { handleEvents } from "./inbound.service.ts";

/** Works off what providers reported. */
export const consumeEvents = (base: BaseCtx, messages: readonly unknown[]): Promise<void> =>
  handleEvents(base, z.array(eventMessage).parse(messages));

const hasDatabase = ({ shardCount }: BaseCtx, shard: number): boolean =>
  Number.isInteger(shard) && shard >= 0 && shard < shardCount;

const keepBy =
  (store: typeof storeDeadEvent) =>
  (base: BaseCtx, message: unknown, at: number): Promise<void> => {
    const { data } = envelope.safeParse(message);
    const hasShard = data !== undefined && hasDatabase(base, data.workspace.shard);
    return hasShard ? store(forWorkspace(base, data.workspace), message, at) : storePoison(base, message, at);
  };

/** Keeps an event that fails by itself, while storage works. Throws where the database does not take it. */
export const setEventAside = keepBy(storeDeadEvent);

/** Keeps an event that the queue has given up, in the database or else in the bucket. */
export const buryEvent = keepBy(storeDeadEventAnywhere);
