import type { IdentityEvent } from "../../channels/channel.ts";
import { isContradicted } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { readSelected } from "../contacts/join-contacts.repository.ts";
import { applyChange, type Change, readChange, seqsOfChange } from "./change-identity.repository.ts";
import { joinSelected } from "./join-contacts.ts";
import { arrivalOf } from "./receive-message.ts";

const MAX_TRIES = 6;

/**
 * Moves a person to the number or user id that the provider gives instead: the contact gets the new one and keeps its
 * conversations; where another contact has it already, the two are joined. Nothing is received: no message, nothing unread, no
 * window. A notice counts once, and notices of several changes may come in any order.
 */
export async function changeIdentity(ctx: Ctx, connectionId: string, event: IdentityEvent): Promise<void> {
  const { noticeId, before, now } = event;
  const told: Change = { connectionId, noticeId, before, now, at: arrivalOf(ctx, event.at) };
  const { isKnown, phone } = await readChange(ctx, told);
  if (isKnown) return;
  const change = { ...told, now: { ...now, phone } };
  const seqs = seqsOfChange(ctx, change);
  for (let tries = 1; ; tries++) {
    await joinSelected(ctx, seqs, phone);
    const [contact] = await readSelected(ctx, seqs);
    try {
      return await applyChange(ctx, change, contact?.seq ?? null);
    } catch (error) {
      if (!isContradicted(error) || tries === MAX_TRIES) throw error;
    }
  }
}
