import { type MediaType, isMediaContent, mediaTypes, type OutboundContent } from "../../../channels/content.ts";
import { readableLine } from "../../../channels/readable.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type Fault, invalid } from "../../../shared/errors.ts";
import { faultOfUrl } from "../../../shared/network/upstream.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import type { MessageInput } from "../input/message-input.schemas.ts";

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
  isAuthentication: boolean;
}

export interface NewMessage {
  text: string;
  template?: NewTemplate;
  content?: OutboundContent;
  fetched?: FetchedFile[];
  replyTo?: string | null;
  metadata?: Record<string, string> | null;
  /** When to send the message, in ms since the epoch. Null sends the message now. */
  sendAt?: number | null;
  /** Only set for a test of a campaign: the names of the values that are replaced with samples. */
  test?: { samples: string[] };
}

/** Null if the message has no stored file. Callers check that the file exists in the workspace. */
export function storedMediaOf(message: NewMessage | null): { type: MediaType; id: string } | null {
  const content = message?.fetched === undefined ? message?.content : undefined;
  return content !== undefined && isMediaContent(content) ? { type: content.type, id: content.content.media_id } : null;
}

const MAX_AHEAD_MS = 365 * DAY_MS;

/** Null for a text, which needs no content. A file that is downloaded from a URL gets the id `newMediaId`. */
function contentOf(input: MessageInput, newMediaId: string): Exclude<OutboundContent, { type: "text" }> | null {
  for (const type of mediaTypes) {
    const media = input[type];
    if (media === undefined) continue;
    const { media_id = newMediaId, url: _, ...description } = media;
    return { type, content: { media_id, ...description } };
  }
  const { location, contacts, interactive, reaction } = input;
  if (location !== undefined) return { type: "location", content: location };
  if (contacts !== undefined) return { type: "contacts", content: contacts };
  if (interactive !== undefined) return { type: "interactive", content: interactive };
  return reaction === undefined ? null : { type: "reaction", content: reaction };
}

function readSendAt(ctx: Ctx, written: string | undefined, faults: Fault[]): number | null {
  if (written === undefined) return null;
  const at = Date.parse(written);
  const message = "Must be in the future and within 365 days.";
  if (at <= ctx.now() || at > ctx.now() + MAX_AHEAD_MS) faults.push({ path: "send_at", code: "out_of_range", message });
  return at;
}

export function readMessageInput(ctx: Ctx, input: MessageInput): NewMessage {
  const faults: Fault[] = [];
  const sendAt = readSendAt(ctx, input.send_at, faults);
  const mediaType = mediaTypes.find((type) => input[type] !== undefined);
  const url = mediaType === undefined ? undefined : input[mediaType]?.url;
  const fault = url === undefined ? null : faultOfUrl(url, ctx.allowPrivateUpstreams);
  if (fault !== null) faults.push({ path: `${mediaType}.url`, code: "invalid_value", message: fault });
  if (faults.length > 0) throw invalid(faults);
  const { text = "", preview_url, reply_to, metadata } = input;
  const newMediaId = ctx.newId("med");
  const content = contentOf(input, newMediaId);
  const isTextWithPreview = content === null && preview_url !== undefined;
  return {
    text: content === null ? text : readableLine(content, false),
    ...(content !== null && { content }),
    ...(isTextWithPreview && { content: { type: "text", content: { preview_url } } }),
    ...(url !== undefined &&
      mediaType !== undefined && {
        fetched: [{ mediaId: newMediaId, url, type: mediaType, filename: input.document?.filename ?? null }],
      }),
    replyTo: (content?.type === "reaction" ? content.content.message_id : reply_to) ?? null,
    metadata: metadata ?? null,
    sendAt,
  };
}
