import * as z from "zod";
import type { Child, FC } from "hono/jsx";
import { type MediaContent, type MediaType, mediaTypes } from "../../../channels/content.ts";
import { formatBytes } from "../../kit/format.ts";
import { findMediaFiles } from "../../../features/media/media.service.ts";
import type { ThreadMessage } from "../../../features/messages/history/open-thread.ts";
import { findTemplateComponents } from "../../../features/templates/templates.service.ts";
import type { Ctx } from "../../../shared/context.ts";

export interface FileInfo {
  id: string;
  mime_type: string | null;
  bytes: number | null;
  filename: string | null;
  status: "stored" | "pending" | "failed" | "expired";
  reason?: string | null;
}

export type FilesById = ReadonlyMap<string, FileInfo>;

const kindNames: Record<MediaType, string> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
  document: "Document",
  sticker: "Sticker",
};

const fileAddress = (id: string): string => `/console/media/${encodeURIComponent(id)}`;

/**
 * Characters that change the direction of text. They are removed from file names, because with them `gpj.exe`
 * would look like `exe.jpg`.
 */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const readableName = (name: string): string => name.replace(DIRECTIONS, "").trim();

const unavailable: Record<Exclude<FileInfo["status"], "stored">, string> = {
  pending: "is loading …",
  failed: "couldn't be loaded from the provider.",
  expired: "has expired.",
};

interface NoFileProps {
  type: MediaType;
  status: Exclude<FileInfo["status"], "stored">;
  reason?: string | undefined;
}

const NoFile: FC<NoFileProps> = ({ type, status, reason }) => (
  <p class={`no-file ${status}`} role={status === "pending" ? "status" : undefined}>
    {kindNames[type]}{" "}
    {status === "failed" && reason !== undefined ? `couldn't be loaded. ${reason}` : unavailable[status]}
  </p>
);

const describeFile = ({ mime_type, bytes }: Pick<FileInfo, "mime_type" | "bytes">): string =>
  [mime_type?.split("/").at(-1)?.slice(0, 40), bytes === null ? undefined : formatBytes(bytes)]
    .filter((part) => part !== undefined)
    .join(" · ");

const Download: FC<{ file: FileInfo; name: string; icon: string }> = ({ file, name, icon }) => (
  <a class="file" href={fileAddress(file.id)} download={name}>
    <span class="file-icon" aria-hidden="true">
      {icon}
    </span>
    <span class="file-name">
      <bdi>{name}</bdi>
      <span class="help">{describeFile(file)}</span>
    </span>
  </a>
);

/** The types of files that browsers can play or show. Other files can only be downloaded. */
const PLAYED: Record<Exclude<MediaType, "document">, RegExp> = {
  image: /^image\/(?:jpeg|png|webp|gif)$/,
  sticker: /^image\/(?:webp|png)$/,
  video: /^video\/(?:mp4|3gpp)$/,
  audio: /^audio\/(?:mp4|mpeg|aac|ogg|amr)$/,
};

const icons: Record<MediaType, string> = { image: "🖼", video: "🎬", audio: "🎵", document: "📄", sticker: "🖼" };

interface FileProps {
  type: MediaType;
  content: Partial<MediaContent>;
  files: FilesById;
  isOwn?: boolean;
}

export const MessageFile: FC<FileProps> = ({ type, content, files, isOwn = false }): Child => {
  const file = files.get(content.media_id ?? "");
  if (file === undefined) return <NoFile type={type} status="expired" />;
  if (file.status !== "stored")
    return <NoFile type={type} status={file.status} reason={isOwn ? (file.reason ?? "") : undefined} />;
  const src = fileAddress(file.id);
  const given = readableName(content.filename ?? file.filename ?? "");
  const name = given === "" ? kindNames[type] : given;
  const label = content.caption ?? kindNames[type];
  if (type === "document" || !PLAYED[type].test(file.mime_type ?? ""))
    return <Download file={file} name={name} icon={icons[type]} />;
  switch (type) {
    case "image":
      return (
        <a class="picture" href={src} target="_blank" rel="noopener">
          <img src={src} alt={label} loading="lazy" width="280" height="210" />
        </a>
      );
    case "sticker":
      return <img class="sticker" src={src} alt={label} loading="lazy" width="128" height="128" />;
    case "video":
      return <video class="player" src={src} controls preload="metadata" width="280" height="210" aria-label={label} />;
    case "audio":
      return (
        <audio class="player" src={src} controls preload="none" aria-label={content.voice === true ? "Voice" : label} />
      );
  }
};

export interface MessageParts {
  files: FilesById;
  components: ReadonlyMap<string, readonly unknown[]>;
}

const held = z.object({ media_id: z.string() });
const withHeader = z.object({ header: z.unknown().optional() });
const withHeaders = withHeader.extend({ cards: z.array(withHeader).optional().catch([]) });

const idIn = (content: unknown): string[] => {
  const { data } = held.safeParse(content);
  return data === undefined ? [] : [data.media_id];
};

function fileIdsOf({ type, content }: Pick<ThreadMessage, "type" | "content">): string[] {
  if (mediaTypes.some((each) => each === type)) return idIn(content);
  const { data } = withHeaders.safeParse(content);
  if (type !== "template" || data === undefined) return [];
  return [data.header, ...(data.cards ?? []).map(({ header }) => header)].flatMap(idIn);
}

export async function loadMessageParts(
  ctx: Ctx,
  messages: readonly Pick<ThreadMessage, "type" | "content" | "templateId">[],
): Promise<MessageParts> {
  const [files, components] = await Promise.all([
    findMediaFiles(ctx, messages.flatMap(fileIdsOf)),
    findTemplateComponents(
      ctx,
      messages.flatMap(({ templateId }) => templateId ?? []),
    ),
  ]);
  return { files, components };
}
