import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { ContentType, InboundParts } from "../../../channels/content.ts";
import { columns } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { insertPendingMedia } from "../../media/media.sql.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";

const m = columns(messages, "m");
const t = columns(messages, "t");

/** We look for the provider's id only in this many of the thread's latest messages, to limit the rows read. */
const LOOKED_THROUGH = 500;

interface MessageWithParts {
  connectionId: string;
  contactSeq: SQL;
  parts: StoredParts | null;
}

export interface StoredParts extends InboundParts {
  mediaId: string | null;
}

export const toStoredParts = (ctx: Ctx, parts: InboundParts | null | undefined): StoredParts | null =>
  parts === null || parts === undefined ? null : { ...parts, mediaId: parts.media === null ? null : ctx.newId("med") };

export const isReaction = (parts: Pick<InboundParts, "type"> | null | undefined): boolean => parts?.type === "reaction";

const emojiContent = z.object({ emoji: z.string() }).catch({ emoji: "" });

export const emojiOf = ({ content }: Pick<InboundParts, "content">): string => emojiContent.parse(content).emoji;

const contentObject = z.record(z.string(), z.unknown());

function storedContent({ type, content, mediaId }: StoredParts): string | null {
  if (type === "text" || content === null || content === undefined) return null;
  const fields = contentObject.safeParse(content).data;
  return JSON.stringify(mediaId === null || fields === undefined ? content : { ...fields, media_id: mediaId });
}

const keyedMessages = (connectionId: string, keys: string[]): SQL => sql`
  SELECT ${t.id} AS id, ${t.contactSeq} AS contact_seq FROM json_each(${JSON.stringify(keys)}) e
  CROSS JOIN messages t ON ${t.connectionId} = ${connectionId} AND ${t.providerKey} = e.value`;

/**
 * We do not store the key of every message that we send. If `parts` refer to a message without a key, this stores its
 * key. Must run before statements that find messages by key.
 */
export const storeNamedKey = ({ connectionId, contactSeq, parts }: MessageWithParts, condition: SQL): SQL[] => {
  if (parts === null || parts.replyTo.length === 0) return [];
  const keys = JSON.stringify(parts.replyTo);
  return [
    sql`
      UPDATE messages SET provider_key = provider_message_id WHERE id = (
        SELECT latest.id FROM (
          SELECT ${m.id}, ${m.providerMessageId}, ${m.providerKey}, ${m.fromContact} FROM messages m
          WHERE ${m.contactSeq} = ${contactSeq} AND ${m.connectionId} = ${connectionId} ORDER BY ${m.id} DESC LIMIT ${LOOKED_THROUGH}) latest
        WHERE latest.provider_message_id IN (SELECT e.value FROM json_each(${keys}) e) AND latest.provider_key IS NULL
          AND NOT latest.from_contact LIMIT 1)
      AND NOT EXISTS (${keyedMessages(connectionId, parts.replyTo)}) AND ${condition}`,
  ];
};

const namedMessage = ({ connectionId, contactSeq }: MessageWithParts, keys: string[]): SQL => sql`(
  SELECT k.id FROM (${keyedMessages(connectionId, keys)}) k
  WHERE ${currentContactSeq(sql`k.contact_seq`)} = ${contactSeq} LIMIT 1)`;

export function partValues(message: MessageWithParts) {
  const { parts } = message;
  if (parts === null) return {};
  const { type, replyTo, isForwarded, referral } = parts;
  const named = replyTo.length === 0 ? sql`NULL` : namedMessage(message, replyTo);
  const stored: ContentType | null = type === "text" ? null : type;
  return {
    type: stored,
    content: storedContent(parts),
    replyTo: named,
    replyToKey: sql`iif(${named} IS NULL, ${replyTo[0] ?? null}, NULL)`,
    referral: referral === null ? null : JSON.stringify(referral),
    isForwarded: isForwarded ? 1 : null,
  };
}

export const insertPartsMedia = (ctx: Ctx, connectionId: string, parts: StoredParts | null, condition: SQL): SQL[] => {
  if (parts === null || parts.media === null || parts.mediaId === null) return [];
  const { media, mediaId: id } = parts;
  const { mimeType, filename } = media;
  return [
    insertPendingMedia(ctx, { id, source: { connectionId, media }, messageType: null, mimeType, filename }, condition),
  ];
};
