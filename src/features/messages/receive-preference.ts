import type { PreferenceEvent } from "../../channels/people.ts";
import type { Ctx } from "../../shared/context.ts";
import { phoneKey } from "../../shared/phone.ts";
import { chooseMarketing, keysOfPerson } from "../contacts/choose-marketing.repository.ts";
import { arrivalOf, personMatch } from "./receive-message.ts";
import { store } from "./receive-message.repository.ts";

/**
 * Keeps what a person chose about marketing at the provider, in any order and any number of times. It belongs to the number, so
 * it also holds for a number that is no contact's yet.
 */
export async function receivePreference(ctx: Ctx, connectionId: string, event: PreferenceEvent): Promise<void> {
  const { from, marketing } = event;
  const key = from.phone === null ? null : phoneKey(from.phone);
  const keys = keysOfPerson(personMatch(ctx, connectionId, from), key);
  await store(ctx, chooseMarketing(ctx, keys, { marketing, at: arrivalOf(ctx, event.at) }));
}
