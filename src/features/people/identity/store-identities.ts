import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { matchContact, type PersonIdentifiers, takenPhoneEvents } from "../../contacts/identity/identify-people.sql.ts";
import { insertReportedIdentities, reportedIdentityEvents } from "../../contacts/identity/provider-ids.sql.ts";
import { appendEvents } from "../../events/append-events.sql.ts";
import type { NewIdentity } from "../../messages/settle/settle-statuses.sql.ts";
import { mergeContactsBySeq, retryAfterMerging } from "../merge/merge-contacts.ts";

/**
 * Stores the person's number in the contact that has their id. If another contact already has the number, both contacts
 * are the same person and are merged.
 */
async function storePhone(
  ctx: Ctx,
  connectionId: string,
  person: PersonIdentifiers & { phone: string },
): Promise<void> {
  const events = appendEvents(ctx, takenPhoneEvents(ctx, connectionId, person));
  const match = matchContact(ctx, connectionId, person);
  const flags = appendSnapshotEvents(ctx);
  await retryAfterMerging(ctx, connectionId, person, () => transact(ctx.db, { events, match, flags }));
}

export async function storeReportedIdentities(ctx: Ctx, names: NewIdentity[]): Promise<void> {
  for (const connectionId of new Set(names.map(({ connection_id }) => connection_id))) {
    const own = names.filter(({ connection_id }) => connection_id === connectionId);
    await storeIdentitiesOf({ ...ctx, actor: { type: "provider", connectionId } }, connectionId, own);
  }
}

async function storeIdentitiesOf(ctx: Ctx, connectionId: string, names: NewIdentity[]): Promise<void> {
  const identities = names.map(({ contact_seq, user_id }) => ({
    contactSeq: contact_seq,
    connectionId,
    externalId: user_id,
  }));
  const { stored } = await transact(ctx.db, {
    events: appendEvents(ctx, reportedIdentityEvents(ctx, identities)),
    stored: insertReportedIdentities(ctx, identities),
    flags: appendSnapshotEvents(ctx),
  });
  for (const { contact_seq, claimed_by } of stored) {
    if (claimed_by !== null) await mergeContactsBySeq(ctx, [contact_seq, claimed_by]);
  }
  for (const { user_id, phone } of names) {
    if (phone === null) continue;
    await storePhone(ctx, connectionId, { phone, userIds: [user_id], aliases: [], username: null });
  }
}
