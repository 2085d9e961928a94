import { AppError, type Fault, notFound } from "../../shared/errors.ts";
import { refusalOfFile, type MediaRefusal } from "../media/media.kinds.ts";
import { faultOfUrl } from "../../shared/network/upstream.ts";
import type { ParsedTemplate } from "./model/parse-template.ts";
import { type HeaderFile, headerFiles } from "./model/read-values.ts";
import type { SentHeader, SentParts } from "./model/sent-parts.schemas.ts";
import type { TemplateFile } from "./templates.sql.ts";

export const sentFileIds = ({ header, cards = [] }: SentParts): string[] =>
  [header, ...cards.map((card) => card.header)].flatMap((each) =>
    each?.media_id === undefined ? [] : [each.media_id],
  );

export interface FileToFetch {
  mediaId: string;
  url: string;
  type: HeaderFile["kind"];
  filename: string | null;
}

export function nameFiles(
  template: ParsedTemplate,
  sent: SentParts,
  { newId, allowPrivateUpstreams }: { newId(prefix: "med"): string; allowPrivateUpstreams: boolean },
): { parts: SentParts; fetched: FileToFetch[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const fetched: FileToFetch[] = [];
  const kinds = new Map(headerFiles(template, sent).map(({ path, kind }) => [path, kind]));
  const nameFile = (header: SentHeader | undefined, path: string): { header?: SentHeader } => {
    if (header === undefined) return {};
    const { url, ...rest } = header;
    const type = kinds.get(path);
    if (url === undefined || type === undefined) return { header };
    const message = faultOfUrl(url, allowPrivateUpstreams);
    if (message !== null) faults.push({ path: `${path}.url`, code: "invalid_value", message });
    const mediaId = newId("med");
    fetched.push({ mediaId, url, type, filename: header.filename ?? null });
    return { header: { ...rest, media_id: mediaId } };
  };
  const parts = {
    ...sent,
    ...nameFile(sent.header, "header"),
    ...(sent.cards !== undefined && {
      cards: sent.cards.map((card, index) => ({ ...card, ...nameFile(card.header, `cards.${index}.header`) })),
    }),
  };
  return { parts, fetched, faults };
}

export function refusalOfTemplateFile(
  kind: HeaderFile["kind"],
  { status, mime_type, bytes }: TemplateFile,
): MediaRefusal | null {
  if (status === "pending") return null;
  if (status !== "stored" || mime_type === null || bytes === null) return { reason: "not_stored" };
  return refusalOfFile(kind, { mimeType: mime_type, bytes });
}

export function findFileFault(
  template: ParsedTemplate,
  sent: SentParts,
  files: readonly TemplateFile[],
): AppError | null {
  for (const { path, kind, mediaId } of headerFiles(template, sent)) {
    if (mediaId === null) continue;
    const file = files.find(({ id }) => id === mediaId);
    if (file === undefined) return notFound("file");
    const refusal = refusalOfTemplateFile(kind, file);
    if (refusal !== null)
      return new AppError("media_invalid", `The file of ${path} cannot be sent as ${kind}.`, refusal);
  }
  return null;
}
