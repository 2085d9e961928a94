import { sql, type SQL } from "drizzle-orm";
import { insertSelect } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isPhoneAddress, phoneKey } from "../../../shared/text/phone.ts";
import { selectMedia } from "../../media/media.sql.ts";
import { enqueueMediaFetch } from "../../media/store/queue-media.ts";
import { emojiOf, isReaction, partValues, type StoredParts } from "./message-parts.sql.ts";
import { applyRevisions, selectWaitingRevision } from "./receive-revision.sql.ts";
import { applyReferences, insertReference } from "./references.sql.ts";

export const isNewMessage = (ctx: Ctx, connectionId: string, providerKey: string, condition = sql`TRUE`): SQL => sql`(
  NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = ${connectionId} AND provider_key = ${providerKey})
  AND EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND ${condition}))`;

export interface ProviderMessageRow {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  address: string;
  body: string;
  providerMessageId: string;
  providerKey: string;
  at: number;
  parts: StoredParts | null;
  isStandby: boolean;
}

export const insertProviderMessage = (
  ctx: Ctx,
  message: ProviderMessageRow,
  values: { fromContact: SQL; state: number; deliveredAt?: number; sentAt?: number; authorId?: string },
  condition: SQL,
): SQL => {
  const { id, connectionId, contactSeq, address, body, providerMessageId, providerKey, at, isStandby } = message;
  return insertSelect(
    messages,
    {
      id,
      workspaceId: ctx.workspace.id,
      contactSeq,
      connectionId,
      address,
      body,
      providerMessageId,
      providerKey,
      createdAt: at,
      ...values,
      ...partValues(message),
      isStandby: isStandby ? 1 : undefined,
    },
    sql`WHERE ${condition}`,
  );
};

interface ProviderMessage {
  connectionId: string;
  providerKey: string;
  parts: StoredParts | null;
}

export async function storeMessage(
  ctx: Ctx,
  { connectionId, providerKey, parts }: ProviderMessage,
  statements: SQL[],
): Promise<void> {
  const mediaId = parts?.mediaId ?? null;
  const { waiting, media } = await transact(ctx.db, {
    statements,
    waiting: selectWaitingRevision(ctx, connectionId, providerKey),
    media: mediaId === null ? [] : [selectMedia(ctx, mediaId)],
  });
  if (waiting.length > 0) await applyRevisions(ctx, connectionId, providerKey);
  await enqueueMediaFetch(
    ctx,
    media.map(({ id }) => ({ mediaId: id })),
  );
}

const isUnresolvedReply = (id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages WHERE id = ${id} AND reply_to IS NULL AND reply_to_key IS NOT NULL)`;

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
