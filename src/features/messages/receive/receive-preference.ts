import type { PreferenceEvent } from "../../../channels/people.ts";
import type { Ctx } from "../../../shared/context.ts";
import { chooseMarketing, keysOfPerson } from "../../contacts/choose-marketing.sql.ts";
import { keysFollowing } from "../../contacts/follow-changes.sql.ts";
import { refuseSeveral } from "../../contacts/identify-people.sql.ts";
import { asOnePerson } from "./join-contacts.ts";
import { arrivalOf, namesOf } from "./receive-message.ts";
import { store } from "./receive-message.sql.ts";

/**
 * Keeps what a person chose about marketing at the provider, in any order and any number of times. It belongs to the person, so
 * it also holds for a number and an id that are no contact's yet.
 */
export async function receivePreference(ctx: Ctx, connectionId: string, event: PreferenceEvent): Promise<void> {
  const { from, marketing } = event;
  const person = namesOf(from);
  const at = arrivalOf(ctx, event.at);
  const keys = keysOfPerson(ctx, connectionId, person, at);
  const newerKeys = keysFollowing(ctx, connectionId, from, at);
  const statements = [
    refuseSeveral(ctx, connectionId, person),
    ...[keys, newerKeys].flatMap((chosenFor) => chooseMarketing(ctx, chosenFor, { marketing, at })),
  ];
  await asOnePerson(ctx, connectionId, person, () => store(ctx, statements));
}
