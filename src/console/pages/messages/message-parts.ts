// Records that messages are shown with: their files, and the templates that they were made from.
import * as z from "zod";
import { mediaTypes } from "../../../channels/content.ts";
import { findMediaFiles } from "../../../features/media/open/find-media.ts";
import type { ThreadMessage } from "../../../features/messages/history/open-thread.ts";
import { findTemplateComponents } from "../../../features/templates/templates.service.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { ShownFiles } from "./message-files.tsx";

export interface MessageParts {
  files: ShownFiles;
  /** The components of templates by id. */
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

/** The ids of the files that a message shows. */
function fileIdsOf({ type, content }: Pick<ThreadMessage, "type" | "content">): string[] {
  if (mediaTypes.some((each) => each === type)) return idIn(content);
  const { data } = withHeaders.safeParse(content);
  if (type !== "template" || data === undefined) return [];
  return [data.header, ...(data.cards ?? []).map(({ header }) => header)].flatMap(idIn);
}

/** Loads what messages show besides themselves. Costs nothing where all are texts. */
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
