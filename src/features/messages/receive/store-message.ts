import { type SQL, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isPhoneAddress, phoneKey } from "../../../shared/text/phone.ts";
import { selectMedia } from "../../media/media.sql.ts";
import { enqueueMediaFetch } from "../../media/store/queue-media.ts";
import { emojiOf, isReaction, type StoredParts } from "./message-parts.sql.ts";
import { isUnresolvedReply, type ProviderMessageRow } from "./receive-message.sql.ts";
import { applyRevisions, selectWaitingRevision } from "./receive-revision.sql.ts";
import { applyReferences, insertReference } from "./references.sql.ts";

interface ProviderMessage {
  connectionId: string;
  providerKey: string;
  parts: StoredParts | null;
}

/** Stores a provider's message in one batch, then applies revisions and references that arrived earlier. */
export async function storeMessage(
  ctx: Ctx,
  { connectionId, providerKey, parts }: ProviderMessage,
  statements: SQL[],
): Promise<void> {
  const mediaId = parts?.mediaId ?? null;
  const { waiting, media } = await transact(ctx.db, {
    statements,
    waiting: selectWaitingRevision(connectionId, providerKey),
    media: mediaId === null ? [] : [selectMedia(ctx, mediaId)],
  });
  if (waiting.length > 0) await applyRevisions(ctx, connectionId, providerKey);
  await enqueueMediaFetch(
    ctx,
    media.map(({ id }) => ({ mediaId: id })),
  );
}

/** The statements for a message's references, before and after its insert. A reaction is shown on its target message. */
export function referencesOf(
  ctx: Ctx,
  { id, connectionId, providerKey, address, at, parts }: ProviderMessageRow,
  { fromContact, isNew }: { fromContact: boolean; isNew: SQL },
): { before: SQL[]; after: SQL[] } {
  if (parts === null || parts.replyTo.length === 0) return { before: [], after: [] };
  const reference = {
    connectionId,
    keys: parts.replyTo,
    referringKey: providerKey,
    fromContact,
    address,
    phoneKey: isPhoneAddress(address) ? phoneKey(address) : null,
    at,
  };
  return isReaction(parts)
    ? {
        before: [insertReference(ctx, { ...reference, kind: "reaction", emoji: emojiOf(parts) }, isNew)],
        after: applyReferences(connectionId, parts.replyTo, ctx.now()),
      }
    : {
        before: [],
        after: [insertReference(ctx, { ...reference, kind: "quote", emoji: null }, isUnresolvedReply(id))],
      };
}
