import { type MediaType, isMediaContent, type OutboundContent } from "../../../channels/content.ts";

/** A file to be fetched from its URL before the message is sent. */
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
  /** A login code, which WhatsApp sends only to numbers. */
  isAuthentication: boolean;
}

/** Free text, a rendered template, or the text form of other content. */
export interface NewMessageContent {
  text: string;
  /** `form` is for providers that store the template themselves. */
  template?: NewTemplate;
  /** Omitted for plain texts and templates. */
  content?: OutboundContent;
  fetched?: FetchedFile[];
  /** The message replied or reacted to. */
  replyTo?: string | null;
  metadata?: Record<string, string> | null;
  /** ms since the epoch; null to send now. */
  sendAt?: number | null;
  /** Set for a campaign's test, with the names of the sample values. */
  test?: { samples: string[] };
}

/** The file that must exist in the workspace, or null. */
export const storedMediaOf = ({ content, fetched }: NewMessageContent): { type: MediaType; id: string } | null =>
  content === undefined || fetched !== undefined || !isMediaContent(content)
    ? null
    : { type: content.type, id: content.content.media_id };
