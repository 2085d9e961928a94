import * as z from "zod";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { handleEvents, storeDeadEvent } from "./inbound.service.ts";
import { envelope, eventMessage } from "./inbound.schemas.ts";

/** Works off what providers reported. */
export const consumeEvents = (base: BaseCtx, messages: readonly unknown[]): Promise<void> =>
  handleEvents(base, z.array(eventMessage).parse(messages));

/** Keeps an event that could not be worked off, where its workspace can be made out. */
export async function buryEvent(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace } = envelope.parse(message);
  await storeDeadEvent(forWorkspace(base, workspace), message);
}
