import type { IdentityEvent } from "../../../channels/channel-events.ts";
import { fetchRow } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { retryOnContention } from "../../commits/retry-on-contention.ts";
import { selectMergeCandidates } from "../merge/merge-contact-rows.sql.ts";
import { CONTACTS_CHANGE } from "../../contacts/contacts.conflicts.ts";
import { applyIdentityChange, contactSeqsOfChange, findIdentityChange } from "./change-identity.sql.ts";
import { mergeContacts } from "../merge/merge-contacts.ts";

/**
 * Moves a contact to the person's new number or user id and merges a contact that already has it. Opens no window and marks nothing
 * unread; a notice applies once, and notices may arrive in any order.
 */
export async function changeIdentity(ctx: Ctx, connectionId: string, event: IdentityEvent): Promise<void> {
  const { noticeId, before, now: after } = event;
  // Even an old change keeps its date, because numbers pass from one person to another.
  const at = Math.min(event.at, ctx.now());
  const change = await findIdentityChange(ctx, { connectionId, noticeId, before, after, at });
  if (change === null) return;
  const seqs = contactSeqsOfChange(ctx, change);
  await retryOnContention(ctx, { message: CONTACTS_CHANGE }, async () => {
    await mergeContacts(ctx, seqs, change.current.phone);
    const contact = await fetchRow(ctx.db, selectMergeCandidates(ctx, seqs));
    return applyIdentityChange(ctx, change, contact?.seq ?? null);
  });
}
