// WAHA deletes a received file after three minutes by default, and fetches it from WhatsApp again on request.
// Source: waha.devlike.pro/docs/how-to/receive-messages/#media-files and
// /docs/how-to/chats/#get-message-by-id
import * as z from "zod";
import type { UpstreamStream } from "../../shared/network/upstream.ts";
import { callForJson, downloadFile, announcedLength } from "../answers.ts";
import { type HttpIo, type OpenConnection, ProviderError, MediaGone, type FetchedMedia } from "../channel.ts";
import type { ProviderMedia } from "../content.ts";
import { lenientText, lenientObject } from "../provider-input.ts";
import { baseOf, wahaProviderErrorOf, wahaRequestTo } from "./calls.ts";
import { parseMessageId } from "./ids.ts";

const FILES = "/api/files/";

/**
 * The URLs in WAHA's events often point to localhost. If a URL has the path of WAHA's files, Tidings requests this path
 * from the connection's own address instead. Only these requests contain the API key, so Tidings never sends the key to
 * any other address.
 */
function requestFor(connection: OpenConnection, url: string) {
  const { pathname, search } = new URL(url);
  const at = pathname.indexOf(FILES);
  if (at === -1) return { method: "GET", url, headers: {} } as const;
  const { headers } = wahaRequestTo(connection, "");
  return { method: "GET", url: `${baseOf(connection)}${pathname.slice(at)}${search}`, headers } as const;
}

async function openUrl(connection: OpenConnection, url: string, io: HttpIo): Promise<UpstreamStream> {
  if (!URL.canParse(url)) throw new ProviderError("The provider's file address is not valid.");
  return downloadFile(io, requestFor(connection, url));
}

const found = z.object({ media: lenientObject({ url: lenientText }) });

async function findUrl(connection: OpenConnection, messageId: string | null, io: HttpIo): Promise<string | null> {
  const chat = parseMessageId(messageId ?? "")?.chat;
  if (messageId === null || chat === undefined) return null;
  const [session, chatId, id] = [connection.config["session"] ?? "", chat, messageId].map(encodeURIComponent);
  const path = `${session}/chats/${chatId}/messages/${id}?downloadMedia=true`;
  const answer = await callForJson(io.upstream, wahaRequestTo(connection, path), wahaProviderErrorOf);
  return found.safeParse(answer).data?.media?.url ?? null;
}

const isGone = ({ status }: UpstreamStream): boolean => status === 404 || status === 410;

async function findFile(connection: OpenConnection, { id, url }: ProviderMedia, io: HttpIo): Promise<UpstreamStream> {
  const first = url === null ? null : await openUrl(connection, url, io);
  if (first !== null && !isGone(first)) return first;
  await first?.body?.cancel();
  const again = await findUrl(connection, id, io);
  if (again === null && first === null && id !== null)
    throw new ProviderError("The provider does not have the file yet.");
  const second = again === null ? null : await openUrl(connection, again, io);
  if (second !== null && !isGone(second)) return second;
  await second?.body?.cancel();
  throw new MediaGone("404");
}

export async function fetchWahaMedia(
  connection: OpenConnection,
  media: ProviderMedia,
  io: HttpIo,
): Promise<FetchedMedia> {
  const answer = await findFile(connection, media, io);
  const { status, headers, body } = answer;
  if (status !== 200 || body === null) {
    await body?.cancel();
    throw wahaProviderErrorOf({ status, headers, json: null });
  }
  return { body, mimeType: media.mimeType ?? headers.get("Content-Type"), bytes: announcedLength(headers) };
}
