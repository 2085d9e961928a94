import * as z from "zod";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { handleEvents, storeDeadEvent } from "./inbound.service.ts";
import { eventMessage } from "./inbound.schemas.ts";

/** Works off what providers reported. */
export const consumeEvents = (base: BaseCtx, messages: readonly unknown[]): Promise<void> =>
  handleEvents(base, z.array(eventMessage).parse(messages));

const addressed = eventMessage.pick({ workspace: true });

/** Keeps an event that could not be worked off, where its workspace can be made out. */
export async function buryEvent(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace } = addressed.parse(message);
  await storeDeadEvent(forWorkspace(base, workspace), message);
}
