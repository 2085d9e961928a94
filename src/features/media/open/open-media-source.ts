import { ProviderError, MediaGone, type FetchedMedia } from "../../../channels/channel.ts";
import { loadChannel } from "../../../channels/registry.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isSuccess, UpstreamRefused, type UpstreamStream } from "../../../shared/network/upstream.ts";
import { findConnection } from "../../connections/connections.sql.ts";
import { openConnection } from "../../connections/open-connection.ts";
import { MediaRefused } from "../media.kinds.ts";
import { isFromUrl, type MediaSource } from "../media.schemas.ts";
import { createMediaLibrary } from "./open-media.ts";
import { announcedLength } from "../../../channels/answers.ts";

export class FetchPostponed extends Error {}

const MAX_REDIRECTS = 3;

const refused = (message: string) => new MediaRefused({ reason: "not_fetched" }, message);

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);
const isForNow = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500;

async function ask(ctx: Ctx, url: string, withinMs: number): Promise<UpstreamStream> {
  const headers = { Accept: "*/*", "Accept-Encoding": "identity", "User-Agent": "Tidings-Media/1" };
  try {
    return await ctx.download({ method: "GET", url, headers, withinMs });
  } catch (error) {
    if (error instanceof UpstreamRefused) throw refused(error.message);
    throw new FetchPostponed("The address did not respond.");
  }
}

/** Follows redirects here and not in `fetch`, because each URL must be checked before the request. */
async function openUrl(ctx: Ctx, first: string, end: number): Promise<FetchedMedia> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const { status, headers, body } = await ask(ctx, url, Math.max(1, end - ctx.now()));
    if (isSuccess({ status }) && body !== null)
      return { body, mimeType: headers.get("Content-Type"), bytes: announcedLength(headers) };
    await body?.cancel();
    if (isForNow(status)) throw new FetchPostponed(`The address returned ${status}.`);
    const next = URL.parse(headers.get("Location") ?? "", url);
    if (!isRedirect(status) || next === null) throw refused(`The address returned ${status}.`);
    if (redirects === MAX_REDIRECTS) throw refused(`The address redirects more than ${MAX_REDIRECTS} times.`);
    next.hash = "";
    url = next.href;
  }
}

async function openAtProvider(
  ctx: Ctx,
  { connectionId, media }: Extract<MediaSource, { connectionId: string }>,
): Promise<FetchedMedia> {
  const connection = await findConnection(ctx, connectionId);
  if (connection === null) throw refused("The connection was deleted before the file was fetched.");
  const channel = await loadChannel(connection.provider);
  if (channel?.fetchMedia === undefined) throw refused("The provider does not support file downloads.");
  try {
    return await channel.fetchMedia(await openConnection(ctx, connection), media, {
      upstream: ctx.upstream,
      download: ctx.download,
      media: createMediaLibrary(ctx),
    });
  } catch (error) {
    if (error instanceof UpstreamRefused || error instanceof MediaGone) throw refused(error.message);
    throw new FetchPostponed(error instanceof ProviderError ? error.detail : "The provider did not respond.");
  }
}

export const openMediaSource = (ctx: Ctx, source: MediaSource, end: number): Promise<FetchedMedia> =>
  isFromUrl(source) ? openUrl(ctx, source.url, end) : openAtProvider(ctx, source);
