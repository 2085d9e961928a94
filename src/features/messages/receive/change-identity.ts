import type { IdentityEvent } from "../../../channels/channel.ts";
import { isContradicted } from "../../../db/idioms.ts";
import type { Ctx } from "../../../shared/context.ts";
import { readSelected } from "../../contacts/join-contacts.sql.ts";
import { applyChange, readChange, seqsOfChange } from "./change-identity.sql.ts";
import { joinSelected } from "./join-contacts.ts";

const MAX_TRIES = 6;

/**
 * Moves a person to the number or user id that the provider gives instead: the contact gets the new one and keeps its
 * conversations; where another contact has it already, the two are joined. Nothing is received: no message, nothing unread, no
 * window. A notice counts once, and notices of several changes may come in any order.
 */
export async function changeIdentity(ctx: Ctx, connectionId: string, event: IdentityEvent): Promise<void> {
  const { noticeId, before, now } = event;
  // As old as it claims to be: numbers are had by one person after the other.
  const at = Math.min(event.at, ctx.now());
  const change = await readChange(ctx, { connectionId, noticeId, before, told: now, at });
  if (change === null) return;
  const seqs = seqsOfChange(ctx, change);
  for (let tries = 1; ; tries++) {
    await joinSelected(ctx, seqs, change.now.phone);
    const [contact] = await readSelected(ctx, seqs);
    try {
      return await applyChange(ctx, change, contact?.seq ?? null);
    } catch (error) {
      if (!isContradicted(error) || tries === MAX_TRIES) throw error;
    }
  }
}
