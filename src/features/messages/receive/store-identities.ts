import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { insertReportedIdentities, matchContact, type PersonIdentifiers } from "../../contacts/identify-people.sql.ts";
import type { NewIdentity } from "../settle/settle-statuses.sql.ts";
import { mergeContactsBySeq, retryAfterMerging } from "./merge-contacts.ts";

/** Gives the contact that has the id its number; a contact that has the number already is the same person, and is merged. */
async function storePhone(ctx: Ctx, connectionId: string, person: PersonIdentifiers): Promise<void> {
  const match = matchContact(ctx, connectionId, person);
  await retryAfterMerging(ctx, connectionId, person, () => transact(ctx.db, { match }));
}

/** Stores ids and numbers of contacts that statuses reported, and merges contacts with the same one. Repeats change nothing. */
export async function storeReportedIdentities(ctx: Ctx, names: NewIdentity[]): Promise<void> {
  const identities = names.map(({ contact_seq, connection_id, user_id }) => ({
    contactSeq: contact_seq,
    connectionId: connection_id,
    externalId: user_id,
  }));
  const { stored } = await transact(ctx.db, { stored: insertReportedIdentities(ctx, identities) });
  for (const { contact_seq, claimed_by } of stored) {
    if (claimed_by !== null) await mergeContactsBySeq(ctx, [contact_seq, claimed_by]);
  }
  for (const { connection_id, user_id, phone } of names) {
    if (phone === null) continue;
    await storePhone(ctx, connection_id, { phone, userIds: [user_id], aliases: [], username: null });
  }
}
