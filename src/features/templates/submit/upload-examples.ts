import { MediaUnavailable } from "../../../channels/media.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import type { MediaRefusal } from "../../media/media.kinds.ts";
import { createMediaLibrary } from "../../media/open/open-media.ts";
import { askTemplateProvider, type TemplateProvider } from "./ask-template-provider.ts";
import type { SentComponent } from "./template-components.schemas.ts";
import { refusalOfTemplateFile } from "../template-files.ts";
import type { TemplateFile } from "../template-files.sql.ts";
import { exampleFiles, withHandles } from "./example-files.ts";

const refuse = (path: string, refusal: MediaRefusal): AppError =>
  new AppError("media_invalid", `The file of ${path} does not fit this header.`, refusal);

const missingSettingError = (setting: string): AppError =>
  new AppError(
    "media_invalid",
    `The connection has no ${setting}, which uploads of examples require. Add it to its settings.`,
    { reason: `${setting}_missing` },
  );

/** Throws `not_found` for an unknown file, and `media_invalid` for a file that its header does not accept. */
export function checkExamples(
  { connection, channel: { exampleSetting } }: TemplateProvider,
  components: readonly SentComponent[],
  files: readonly TemplateFile[],
): void {
  const examples = exampleFiles(components);
  for (const { mediaId, path, kind } of examples) {
    const file = files.find(({ id }) => id === mediaId);
    if (file === undefined) throw notFound("file");
    const refusal = file.status === "pending" ? ({ reason: "not_stored" } as const) : refusalOfTemplateFile(kind, file);
    if (refusal !== null) throw refuse(path, refusal);
  }
  if (examples.length > 0 && exampleSetting !== undefined && !connection.config[exampleSetting])
    throw missingSettingError(exampleSetting);
}

/** Uploads the example files and returns the components with their handles. Throws `provider_error`, `media_invalid`. */
export async function uploadExamples(
  ctx: Ctx,
  provider: TemplateProvider,
  components: readonly SentComponent[],
): Promise<Record<string, unknown>[]> {
  const { channel, opened, io } = provider;
  const library = createMediaLibrary(ctx);
  const upload = async (path: string, mediaId: string) => {
    try {
      const file = await library.open(mediaId);
      const handle = await askTemplateProvider(ctx, provider, channel.uploadExample?.(opened, file, io));
      return [mediaId, handle] as const;
    } catch (error) {
      throw error instanceof MediaUnavailable ? refuse(path, { reason: "not_stored" }) : error;
    }
  };
  const paths = new Map(exampleFiles(components).map(({ mediaId, path }) => [mediaId, path]));
  const handles = await Promise.all(Array.from(paths, ([mediaId, path]) => upload(path, mediaId)));
  return withHandles(components, new Map(handles));
}
