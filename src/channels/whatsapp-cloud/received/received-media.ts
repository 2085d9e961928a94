// Source: developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media
import * as z from "zod";
import type { UpstreamStream } from "../../../shared/network/upstream.ts";
import { ANSWER_NOT_UNDERSTOOD, excerpt, callForJson, downloadFile, announcedLength } from "../../answers.ts";
import { type HttpIo, type OpenConnection, ProviderError, MediaGone, type FetchedMedia } from "../../channel.ts";
import type { ProviderMedia } from "../../content.ts";
import { lenientText, type LenientText } from "../../provider-input.ts";
import { isObjectGone, cloudProviderErrorOf } from "../errors.ts";
import { apiBaseOf, idIn, readAnswer, cloudRequestTo } from "../graph.ts";

const MEDIA_HOSTS = ["lookaside.fbsbx.com", ".whatsapp.net", ".fbcdn.net"];

/** The request for a file contains the access token, so this allows only the connection's host and Meta's own hosts. */
function isTrustedMediaUrl(url: string, apiBase: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, protocol, port, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  if (URL.canParse(apiBase) && origin === new URL(apiBase).origin) return true;
  const isMetas = MEDIA_HOSTS.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return isMetas && protocol === "https:" && port === "";
}

const found = z.object({
  url: z.string(),
  mime_type: lenientText,
  file_size: z
    .union([
      z.int().nonnegative(),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ])
    .nullish()
    .catch(null),
});

type Found = z.infer<typeof found>;

async function findFile(connection: OpenConnection, media: ProviderMedia, { upstream }: HttpIo): Promise<Found> {
  if (media.id === null) {
    if (media.url === null) throw new ProviderError("The provider sent neither an id nor a URL of the file.");
    return { url: media.url, mime_type: media.mimeType, file_size: null };
  }
  const path = `${encodeURIComponent(media.id)}?phone_number_id=${idIn(connection, "phone_number_id")}`;
  const answer = await callForJson(upstream, cloudRequestTo(connection, path), (failed) =>
    isObjectGone(failed) ? new MediaGone(cloudProviderErrorOf(failed).providerCode) : cloudProviderErrorOf(failed),
  );
  const { data } = found.safeParse(answer);
  if (data === undefined) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  return data;
}

const mainType = (mimeType: LenientText) => mimeType?.split(";", 1)[0]?.trim().toLowerCase() || null;

/** Servers send one of these types if they do not know a file's type, so it is not compared with the expected type. */
const UNTYPED = new Set(["application/octet-stream", "binary/octet-stream"]);

function faultOf(headers: Headers, announced: Found, media: ProviderMedia): string | null {
  const [served, expected] = [mainType(headers.get("Content-Type")), mainType(announced.mime_type ?? media.mimeType)];
  if (served !== null && expected !== null && served !== expected && !UNTYPED.has(served))
    return `The provider announced the type ${expected}, but sent ${served}.`;
  const length = announcedLength(headers);
  const size = announced.file_size ?? null;
  return length !== null && size !== null && length !== size
    ? `The provider announced ${size} bytes, but sent ${length}.`
    : null;
}

/** If the file's URL has expired, requests a new URL once, as Meta advises. */
async function openFile(
  connection: OpenConnection,
  media: ProviderMedia,
  io: HttpIo,
  tries = media.id === null ? 1 : 2,
): Promise<{ announced: Found; answer: UpstreamStream }> {
  const announced = await findFile(connection, media, io);
  if (!isTrustedMediaUrl(announced.url, apiBaseOf(connection)))
    throw new ProviderError("The file's URL does not belong to the provider, so the file was not requested.");
  const answer = await downloadFile(io, { ...cloudRequestTo(connection, ""), url: announced.url });
  if (answer.status !== 404 && answer.status !== 410) return { announced, answer };
  await answer.body?.cancel();
  if (tries === 1) throw new MediaGone(String(answer.status));
  return openFile(connection, media, io, tries - 1);
}

export async function fetchCloudMedia(
  connection: OpenConnection,
  media: ProviderMedia,
  io: HttpIo,
): Promise<FetchedMedia> {
  const { announced, answer } = await openFile(connection, media, io);
  const { status, headers, body } = answer;
  if (status !== 200 || body === null)
    throw cloudProviderErrorOf(await readAnswer(answer).catch(() => ({ ...answer, json: null })));
  const fault = faultOf(headers, announced, media);
  if (fault !== null) {
    await body.cancel();
    throw new ProviderError(excerpt(fault));
  }
  return {
    body,
    mimeType: announced.mime_type ?? media.mimeType ?? headers.get("Content-Type"),
    bytes: announcedLength(headers) ?? announced.file_size ?? null,
  };
}
