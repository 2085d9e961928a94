// The content of a message before it is accepted.
import { type MediaType, isMediaContent, type OutboundContent } from "../../../channels/content.ts";

/** A file that is to be fetched from its address before its message leaves. */
export interface FetchedFile {
  mediaId: string;
  url: string;
  type: MediaType;
  filename: string | null;
}

interface NewTemplate {
  id: string;
  form: object | null;
  isMarketing: boolean;
  /** A login code, which WhatsApp sends to numbers only. */
  isAuthentication: boolean;
}

/** Free text, a template's rendering, or another kind of message with its readable line. */
export interface NewMessageContent {
  text: string;
  /** `form` is for providers that hold the template themselves. */
  template?: NewTemplate;
  /** Left out of a plain text and of a template. */
  content?: OutboundContent;
  fetched?: FetchedFile[];
  /** The message that it answers or reacts to. */
  replyTo?: string | null;
  metadata?: Record<string, string> | null;
  /** ms since the epoch; null for at once. */
  sendAt?: number | null;
  /** The test of a campaign, with the names of the values that are samples. */
  test?: { samples: string[] };
}

/** The file of a content that the workspace must have already, or null. */
export const storedMediaOf = ({ content, fetched }: NewMessageContent): { type: MediaType; id: string } | null =>
  content === undefined || fetched !== undefined || !isMediaContent(content)
    ? null
    : { type: content.type, id: content.content.media_id };
