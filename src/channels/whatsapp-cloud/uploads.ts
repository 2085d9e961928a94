import * as z from "zod";
import { DAY_MS } from "../../shared/time/durations.ts";
import { isSuccess, UpstreamClosed, UpstreamRefused, type UpstreamAnswer } from "../../shared/network/upstream.ts";
import { ANSWER_NOT_UNDERSTOOD, errorNotice, messageError, callForJson } from "../answers.ts";
import {
  type ChannelIo,
  type OpenConnection,
  type SendOutcome,
  type UploadOutcome,
  type HttpIo,
  ProviderError,
  type MediaFile,
  MediaUnavailable,
  type UploadedMedia,
} from "../channel.ts";
import { idOf } from "../provider-input.ts";
import { cloudOutcomeOfFailure, cloudProviderErrorOf } from "./errors.ts";
import { idIn, readAnswer, cloudRequestTo, multipartBody, fileBody } from "./graph.ts";

/** Meta deletes uploads after 30 days, so Tidings reuses their ids for only 29 days. */
const UPLOAD_KEPT_MS = 29 * DAY_MS;
/** Must be shorter than the 30 s that a Worker can run after its response. */
const UPLOAD_MS = 20_000;

const unreadable = messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD);

type NotUploaded = Exclude<UploadOutcome, { kind: "uploaded" }>;

class UploadFailed extends Error {
  constructor(readonly outcome: NotUploaded) {
    super(outcome.error.message);
  }
}

/** Meta accepts an OGG file only if the type names the codec, and the only codec it accepts is Opus. */
const mimeTypeOf = ({ mimeType }: MediaFile): string =>
  mimeType === "audio/ogg" ? "audio/ogg; codecs=opus" : mimeType;

/**
 * An upload is retried even if Meta may have stored the file, because a second copy is harmless. If Meta rejects an
 * upload with an error that Tidings does not know, the cause is probably the file, so the code is `media_invalid`.
 */
function failureOf(outcome: SendOutcome): NotUploaded {
  switch (outcome.kind) {
    case "accepted":
      return { kind: "retry", error: unreadable };
    case "lost":
      return { kind: "retry", error: outcome.error };
    case "retry":
      return outcome;
    case "refused": {
      const { error } = outcome;
      return error.code === "provider_rejected" ? { ...outcome, error: { ...error, code: "media_invalid" } } : outcome;
    }
  }
}

function failureOfThrown(cause: unknown): NotUploaded {
  if (cause instanceof UpstreamClosed) throw cause;
  if (cause instanceof UploadFailed) return cause.outcome;
  if (cause instanceof MediaUnavailable)
    return { kind: "refused", error: messageError("media_invalid", cause.message || "The file does not exist.") };
  if (cause instanceof UpstreamRefused) {
    const { message } = cause;
    return { kind: "refused", error: messageError("provider_rejected", message), notice: errorNotice(message) };
  }
  return { kind: "retry", error: messageError("provider_unreachable", "The file could not be uploaded.") };
}

const uploaded = z.object({ id: z.union([z.string(), z.number().transform(String)]) });

async function upload(connection: OpenConnection, file: MediaFile, io: ChannelIo): Promise<string> {
  const mimeType = mimeTypeOf(file);
  const { url, headers } = cloudRequestTo(connection, `${idIn(connection, "phone_number_id")}/media`);
  const fields = { messaging_product: "whatsapp", type: mimeType };
  const form = await multipartBody(fields, { file, name: file.filename ?? "file", mimeType });
  try {
    const described = { ...headers, "Content-Type": form.contentType, "Content-Length": String(form.bytes) };
    const request = { method: "POST", url, headers: described, body: form.body, withinMs: UPLOAD_MS } as const;
    const answer = await readAnswer(await io.download(request));
    if (!isSuccess(answer)) throw new UploadFailed(failureOf(cloudOutcomeOfFailure(answer)));
    const id = idOf(uploaded.safeParse(answer.json).data?.id);
    if (id === null) throw new UploadFailed(failureOf({ kind: "lost", error: unreadable }));
    await io.media.storeUpload(connection.id, file, id, UPLOAD_KEPT_MS).catch(() => null);
    return id;
  } finally {
    form.end();
  }
}

const findOrUpload = (
  connection: OpenConnection,
  file: MediaFile,
  io: ChannelIo,
  lapsed: string | null = null,
): Promise<UploadedMedia> =>
  io.media.shareUpload(`${connection.id} ${file.id} ${lapsed ?? ""}`, async () => {
    const find = async () => {
      const id = await io.media.findUpload(connection.id, file, lapsed);
      return id === null ? null : { id, isReused: true };
    };
    const uploadAnew = async () => ({ id: await upload(connection, file, io), isReused: false });
    const findAgain = async () => (await find()) ?? uploadAnew();
    return (await find()) ?? io.media.inTurn(connection.id, file, findAgain);
  });

export async function uploadOnce(connection: OpenConnection, file: MediaFile, io: ChannelIo): Promise<UploadOutcome> {
  try {
    await findOrUpload(connection, file, io);
    return { kind: "uploaded" };
  } catch (cause) {
    return failureOfThrown(cause);
  }
}

interface PreparedMedia {
  kind: "prepared";
  ids: ReadonlyMap<string, string>;
  isReused: boolean;
}

export async function prepareMedia(
  connection: OpenConnection,
  mediaIds: readonly string[],
  io: ChannelIo,
  lapsed: ReadonlyMap<string, string> = new Map(),
): Promise<PreparedMedia | NotUploaded> {
  const ids = new Map<string, string>();
  let isReused = false;
  try {
    for (const mediaId of new Set(mediaIds)) {
      const uploadedFile = await findOrUpload(connection, await io.media.open(mediaId), io, lapsed.get(mediaId));
      ids.set(mediaId, uploadedFile.id);
      isReused ||= uploadedFile.isReused;
    }
    return { kind: "prepared", ids, isReused };
  } catch (cause) {
    return failureOfThrown(cause);
  }
}

/**
 * If Meta does not have the file, it returns a code in `MEDIA_CODES` or `PARAMETER_CODES`. Because it returns
 * `PARAMETER_CODES` for other errors too, the text must then also match `NO_ATTACHMENT`.
 */
const MEDIA_CODES = new Set(["131052", "131053"]);
const PARAMETER_CODES = new Set(["100", "131009"]);
const NO_ATTACHMENT = /media attachment|attachment id|media id/i;

export const isMediaLapsed = (outcome: SendOutcome): boolean =>
  outcome.kind === "refused" &&
  (MEDIA_CODES.has(outcome.error.providerCode ?? "") ||
    (PARAMETER_CODES.has(outcome.error.providerCode ?? "") && NO_ATTACHMENT.test(outcome.error.message)));

/**
 * The id becomes part of the next request's URL. The pattern rejects ids that would send this request to
 * another host.
 */
const session = z.object({ id: z.string().regex(/^upload:[\w+/=:.~%-]+(\?[\w+/=:.~%&-]*)?$/) });
const uploadedExample = z.object({ h: z.string().min(1) });

async function openSession(connection: OpenConnection, file: MediaFile, { upstream }: HttpIo): Promise<string> {
  const { filename, bytes, mimeType } = file;
  const query = new URLSearchParams({
    file_name: filename ?? "example",
    file_length: String(bytes),
    file_type: mimeType,
  });
  const request = cloudRequestTo(connection, `${idIn(connection, "app_id")}/uploads?${query.toString()}`);
  const answer = await callForJson(upstream, { ...request, method: "POST" }, cloudProviderErrorOf);
  const { data } = session.safeParse(answer);
  if (data === undefined || data.id.includes("..")) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  return data.id;
}

async function sendFile(
  connection: OpenConnection,
  sessionId: string,
  file: MediaFile,
  io: HttpIo,
): Promise<UpstreamAnswer> {
  const { url } = cloudRequestTo(connection, sessionId);
  const content = await fileBody(file);
  try {
    const headers = {
      Authorization: `OAuth ${connection.config["access_token"] ?? ""}`,
      file_offset: "0",
      "Content-Type": "application/octet-stream",
      "Content-Length": String(file.bytes),
    };
    const request = { method: "POST", url, headers, body: content.body, withinMs: UPLOAD_MS } as const;
    return await readAnswer(await io.download(request));
  } finally {
    content.end();
  }
}

export async function uploadCloudExample(connection: OpenConnection, file: MediaFile, io: HttpIo): Promise<string> {
  if (!connection.config["app_id"])
    throw new ProviderError("Uploading an example file requires app_id. Add it to the connection's settings.");
  const sessionId = await openSession(connection, file, io);
  let answer: UpstreamAnswer;
  try {
    answer = await sendFile(connection, sessionId, file, io);
  } catch (cause) {
    const isKnown = cause instanceof UpstreamRefused || cause instanceof MediaUnavailable;
    throw new ProviderError(isKnown ? cause.message : "The example could not be uploaded.");
  }
  if (!isSuccess(answer)) throw cloudProviderErrorOf(answer);
  const { data } = uploadedExample.safeParse(answer.json);
  if (data === undefined) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  return data.h;
}
