import {
  type ReviewIo,
  type HttpIo,
  type OpenConnection,
  ProviderError,
  TemplateNameTaken,
  MediaUnavailable,
} from "../../../channels/channel.ts";
import { queueEvents } from "../../../channels/queue-events.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import type { Connection } from "../../connections/connections.schemas.ts";
import { openConnection } from "../../connections/open-connection.ts";
import { syncTemplatesSoon } from "../../connections/connections.sql.ts";
import { loadTemplateChannel, type TemplateChannel } from "../sync/sync-templates.ts";
import type { MediaRefusal } from "../../media/media.kinds.ts";
import { createMediaLibrary } from "../../media/open/open-media.ts";
import type { SentComponent } from "./template-components.schemas.ts";
import { refusalOfTemplateFile } from "../template-files.ts";
import type { TemplateFile } from "../templates.sql.ts";
import { exampleFiles, withHandles } from "./example-files.ts";

export interface TemplateProvider {
  connection: Connection;
  channel: TemplateChannel;
  opened: OpenConnection;
  io: HttpIo & ReviewIo;
}

export async function openTemplateProvider(ctx: Ctx, connection: Connection): Promise<TemplateProvider> {
  const channel = await loadTemplateChannel(connection);
  if (channel === null)
    throw new AppError(
      "channel_mismatch",
      "The connection's provider does not support templates. Create a local template instead.",
    );
  const { id, status } = connection;
  if (status !== "active")
    throw new AppError("invalid_state", "The connection does not work. Test it, and change its settings.", { status });
  const source = { workspace: ctx.workspace, connectionId: id };
  const io = {
    upstream: ctx.upstream,
    download: ctx.download,
    now: ctx.now,
    reportReview: (review: Parameters<ReviewIo["reportReview"]>[0], delayMs: number) =>
      queueEvents(ctx, source, [review], { delayMs }),
  };
  return { connection, channel, opened: await openConnection(ctx, connection), io };
}

const providerError = (message: string, provider: string, code: string | null, detail: string): AppError =>
  new AppError("provider_error", message, { provider, provider_code: code, detail });

const NO_CHANGES = "Tidings cannot change templates of this provider.";
const LOST =
  "The provider did not respond and may have applied the change. Before you retry, wait two minutes for the next sync and check the templates.";

/** Makes the next sweep sync the templates. An error is only logged, because the hourly sync also runs. */
export const trySyncSoon = (ctx: Ctx, connectionId: string): Promise<void> =>
  syncTemplatesSoon(ctx, connectionId).catch((error: unknown) => {
    log.error("template_sync_not_advanced", { connectionId, error });
  });

export async function callTemplateProvider<T>(
  ctx: Ctx,
  { connection: { id, provider } }: TemplateProvider,
  call: Promise<T> | undefined,
  onRefusal: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  if (call === undefined) {
    await onRefusal();
    throw providerError(NO_CHANGES, provider, null, NO_CHANGES);
  }
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof TemplateNameTaken) throw cause;
    if (cause instanceof ProviderError) {
      await onRefusal();
      throw providerError(
        `The provider rejected the request: ${cause.detail}`,
        provider,
        cause.providerCode,
        cause.detail,
      );
    }
    log.error("template_answer_lost", { requestId: ctx.requestId, connectionId: id, error: cause });
    await trySyncSoon(ctx, id);
    throw providerError(LOST, provider, null, "The provider's response was lost.");
  }
}

const unfitExampleError = (path: string, refusal: MediaRefusal): AppError =>
  new AppError("media_invalid", `The file of ${path} does not fit this header.`, refusal);

const missingSettingError = (setting: string): AppError =>
  new AppError("media_invalid", `Uploading an example file requires ${setting}. Add it to the connection's settings.`, {
    reason: `${setting}_missing`,
  });

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
    if (refusal !== null) throw unfitExampleError(path, refusal);
  }
  if (examples.length > 0 && exampleSetting !== undefined && !connection.config[exampleSetting])
    throw missingSettingError(exampleSetting);
}

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
      const handle = await callTemplateProvider(ctx, provider, channel.uploadExample?.(opened, file, io));
      return [mediaId, handle] as const;
    } catch (error) {
      throw error instanceof MediaUnavailable ? unfitExampleError(path, { reason: "not_stored" }) : error;
    }
  };
  const paths = new Map(exampleFiles(components).map(({ mediaId, path }) => [mediaId, path]));
  const handles = await Promise.all(Array.from(paths, ([mediaId, path]) => upload(path, mediaId)));
  return withHandles(components, new Map(handles));
}
