// Records that messages need for rendering: files and templates.
import * as z from "zod";
import { mediaTypes } from "../../../channels/content.ts";
import { findMediaFiles } from "../../../features/media/media.service.ts";
import type { ThreadMessage } from "../../../features/messages/history/open-thread.ts";
import { findTemplateComponents } from "../../../features/templates/templates.service.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { ShownFiles } from "./message-files.tsx";

export interface MessageParts {
  files: ShownFiles;
  /** Template components by ID. */
  components: ReadonlyMap<string, readonly unknown[]>;
}

const held = z.object({ media_id: z.string() });
const withHeaders = z.object({
  header: z.unknown(),
  cards: z
    .array(z.object({ header: z.unknown() }))
    .optional()
    .catch([]),
});

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

/** Loads these records. Queries nothing if all messages are text. */
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
