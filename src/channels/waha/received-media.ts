// Files that came in. WAHA keeps them for a few minutes, by default three, and then fetches them from WhatsApp again when asked.
// Source: waha.devlike.pro/docs/how-to/receive-messages/#media-files and /docs/how-to/chats/#get-message-by-id
import * as z from "zod";
import { UpstreamRefused, type UpstreamStream } from "../../shared/upstream.ts";
import { callToAsk } from "../answers.ts";
import { type AskIo, type OpenConnection, ProviderError } from "../channel.ts";
import type { ProviderMedia } from "../content.ts";
import { lenientText } from "../lenient.ts";
import type { FetchedMedia } from "../media.ts";
import { MediaGone } from "../media-gone.ts";
import { baseOf, wahaProviderErrorOf, wahaRequestTo } from "./calls.ts";
import { parseMessageId } from "./ids.ts";

const FILES = "/api/files/";

/**
 * The request for a file. WAHA names its own by an address that it knows itself by, often one of localhost: the path is taken at the
 * connection's address, which alone gets the key. Files that WAHA keeps in a bucket have an address that needs none.
 */
function requestFor(connection: OpenConnection, url: string) {
  const { pathname, search } = new URL(url);
  const at = pathname.indexOf(FILES);
  if (at === -1) return { method: "GET", url, headers: {} } as const;
  const { headers } = wahaRequestTo(connection, "");
  return { method: "GET", url: `${baseOf(connection)}${pathname.slice(at)}${search}`, headers } as const;
}

async function download(connection: OpenConnection, url: string, io: AskIo): Promise<UpstreamStream> {
  if (!URL.canParse(url)) throw new ProviderError("The provider's file address is not valid.");
  try {
    return await io.download(requestFor(connection, url));
  } catch (error) {
    throw new ProviderError(
      error instanceof UpstreamRefused ? error.message : "The file could not be fetched from the provider.",
    );
  }
}

const found = z.object({ media: z.object({ url: lenientText }).nullish().catch(null) });

/** Lets WAHA fetch the file of a message once more; null where it cannot. */
async function findUrl(connection: OpenConnection, messageId: string | null, io: AskIo): Promise<string | null> {
  const chat = parseMessageId(messageId ?? "")?.chat;
  if (messageId === null || chat === undefined) return null;
  const [session, chatId, id] = [connection.config["session"] ?? "", chat, messageId].map(encodeURIComponent);
  const path = `${session}/chats/${chatId}/messages/${id}?downloadMedia=true`;
  const answer = await callToAsk(io.upstream, wahaRequestTo(connection, path), wahaProviderErrorOf);
  return found.safeParse(answer).data?.media?.url ?? null;
}

/** The announced length; null where there is none, or where it is that of something compressed. */
function lengthIn(headers: Headers): number | null {
  const length = headers.get("Content-Length") ?? "";
  return /^\d{1,15}$/.test(length) && !headers.has("Content-Encoding") ? Number(length) : null;
}

const isGone = ({ status }: UpstreamStream): boolean => status === 404 || status === 410;

/** Asks at the address, and where the file is not there any more, or never was, for a new one. */
async function findFile(connection: OpenConnection, { id, url }: ProviderMedia, io: AskIo): Promise<UpstreamStream> {
  const first = url === null ? null : await download(connection, url, io);
  if (first !== null && !isGone(first)) return first;
  await first?.body?.cancel();
  const again = await findUrl(connection, id, io);
  // A file that WAHA never had it may still get from WhatsApp.
  if (again === null && first === null && id !== null)
    throw new ProviderError("The provider could not get the file yet.");
  const second = again === null ? null : await download(connection, again, io);
  if (second !== null && !isGone(second)) return second;
  await second?.body?.cancel();
  throw new MediaGone("404");
}

export async function fetchWahaMedia(
  connection: OpenConnection,
  media: ProviderMedia,
  io: AskIo,
): Promise<FetchedMedia> {
  const answer = await findFile(connection, media, io);
  const { status, headers, body } = answer;
  if (status !== 200 || body === null) {
    await body?.cancel();
    throw wahaProviderErrorOf({ status, headers, json: null });
  }
  return { body, mimeType: media.mimeType ?? headers.get("Content-Type"), bytes: lengthIn(headers) };
}
