import * as z from "zod";
import { batch } from "../../../db/client.ts";
import type { Ctx } from "../../../shared/context.ts";
import { attachPhone, keepIdentities, type KnownPerson, refuseSeveral } from "../../contacts/identify-people.sql.ts";
import { asOnePerson, joinNumbered } from "./join-contacts.ts";
import type { NewName } from "../settle/settle-statuses.sql.ts";

const claims = z.array(z.object({ contact_seq: z.number(), claimed_by: z.number().nullable() }));

/** Gives somebody who is known by an id the number that comes with it; a contact that has the number is the same person. */
async function learnPhone(ctx: Ctx, connectionId: string, person: KnownPerson): Promise<void> {
  const statements = [refuseSeveral(ctx, connectionId, person), ...attachPhone(ctx, connectionId, person)];
  await asOnePerson(ctx, connectionId, person, () => batch(ctx.db, statements));
}

/** Keeps what statuses told of people. Again, it changes nothing. */
export async function learnNames(ctx: Ctx, names: NewName[]): Promise<void> {
  const identities = names.map(({ contact_seq, connection_id, user_id }) => ({
    contactSeq: contact_seq,
    connectionId: connection_id,
    externalId: user_id,
  }));
  const [claimed] = await batch(ctx.db, [keepIdentities(ctx, identities)]);
  for (const { contact_seq, claimed_by } of claims.parse(claimed)) {
    if (claimed_by !== null) await joinNumbered(ctx, [contact_seq, claimed_by]);
  }
  for (const { connection_id, user_id, phone } of names) {
    if (phone === null) continue;
    await learnPhone(ctx, connection_id, { phone, userIds: [user_id], aliases: [], username: null });
  }
}
