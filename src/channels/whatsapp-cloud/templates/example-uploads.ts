// Example files for template headers. Source: developers.facebook.com/docs/graph-api/guides/upload
import * as z from "zod";
import { isSuccess, type UpstreamAnswer, UpstreamRefused } from "../../../shared/network/upstream.ts";
import { ANSWER_NOT_UNDERSTOOD, callToAsk } from "../../answers.ts";
import { type AskIo, type OpenConnection, ProviderError } from "../../channel.ts";
import type { MediaFile } from "../../media.ts";
import { MediaUnavailable } from "../../media.ts";
import { cloudProviderErrorOf } from "../errors.ts";
import { idIn, readAnswer, cloudRequestTo } from "../graph.ts";
import { fileBody } from "../multipart.ts";

const UPLOAD_MS = 20_000;

/** The id becomes part of the next URL, with its own query. It must not lead to another host. */
const session = z.object({ id: z.string().regex(/^upload:[\w+/=:.~%-]+(\?[\w+/=:.~%&-]*)?$/) });
const uploaded = z.object({ h: z.string().min(1) });

async function openSession(connection: OpenConnection, file: MediaFile, { upstream }: AskIo): Promise<string> {
  const { filename, bytes, mimeType } = file;
  const query = new URLSearchParams({
    file_name: filename ?? "example",
    file_length: String(bytes),
    file_type: mimeType,
  });
  const request = cloudRequestTo(connection, `${idIn(connection, "app_id")}/uploads?${query.toString()}`);
  const answer = await callToAsk(upstream, { ...request, method: "POST" }, cloudProviderErrorOf);
  const { data } = session.safeParse(answer);
  if (data === undefined || data.id.includes("..")) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  return data.id;
}

async function sendFile(
  connection: OpenConnection,
  sessionId: string,
  file: MediaFile,
  io: AskIo,
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

/** Uploads the file in its own session; returns its handle for a template's components. */
export async function uploadCloudExample(connection: OpenConnection, file: MediaFile, io: AskIo): Promise<string> {
  if (!connection.config["app_id"])
    throw new ProviderError("The connection has no app_id, which uploads of examples require.");
  const sessionId = await openSession(connection, file, io);
  let answer: UpstreamAnswer;
  try {
    answer = await sendFile(connection, sessionId, file, io);
  } catch (cause) {
    const isKnown = cause instanceof UpstreamRefused || cause instanceof MediaUnavailable;
    throw new ProviderError(isKnown ? cause.message : "The example could not be uploaded.");
  }
  if (!isSuccess(answer)) throw cloudProviderErrorOf(answer);
  const { data } = uploaded.safeParse(answer.json);
  if (data === undefined) throw new ProviderError(ANSWER_NOT_UNDERSTOOD);
  return data.h;
}
