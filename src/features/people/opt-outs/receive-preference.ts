import type { PreferenceEvent } from "../../../channels/channel-events.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { storeMarketingChoice, optOutKeysOfPerson } from "../../contacts/opt-outs/store-choices.sql.ts";
import { laterOptOutKeys } from "../../contacts/identity/follow-identity-changes.sql.ts";
import { failIfSeveralContacts } from "../../contacts/identity/identify-people.sql.ts";
import { retryAfterMerging } from "../merge/merge-contacts.ts";
import { boundEventTime, identifiersOf } from "../../messages/receive/read-event.ts";

export async function receivePreference(ctx: Ctx, connectionId: string, event: PreferenceEvent): Promise<void> {
  const { from, marketing } = event;
  const person = identifiersOf(from);
  const at = boundEventTime(event.at, ctx.now());
  const keys = optOutKeysOfPerson(ctx, connectionId, person, at);
  const laterKeys = laterOptOutKeys(ctx, connectionId, from, at);
  const batch = {
    check: failIfSeveralContacts(ctx, connectionId, person),
    choices: [keys, laterKeys].flatMap((chosenFor) => storeMarketingChoice(ctx, chosenFor, { marketing, at })),
    events: appendSnapshotEvents(ctx),
  };
  await retryAfterMerging(ctx, connectionId, person, () => transact(ctx.db, batch));
}
