import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import type { Route } from "../../http/mount.ts";
import { respondWithStream } from "../../http/response/streamed-response.ts";

import { readLinkedMedia, readMedia } from "./open/read-media.ts";
import { createMediaBody, createMediaQuery, listMediaQuery, mediaView, presentMedia } from "./media.schemas.ts";
import { deleteMedia, fetchMediaFrom, listMedia, requireMedia } from "./media.service.ts";
import { presentFile } from "./media.views.ts";
import { uploadMedia } from "./store/upload-media.ts";

export const mediaApi = createApi("Media", publicApi);

mediaApi.upload(
  "/media",
  {
    name: "media.upload",
    summary: "Upload a file, or fetch a file from a URL",
    description:
      "Send the bytes as the body, with their `Content-Type` and `Content-Length`. The maximum is 100 MB, or the platform's limit if it is lower. " +
      "Or send JSON with the `url` of a file. The file is `pending` until the download ends, and `failed` if the download fails. " +
      "The bytes must match the `Content-Type`. Repeat an Idempotency-Key only with the same bytes. " +
      "Files are stored for 365 days. A message refers to a file by its id. Each type of message accepts:\n\n" +
      "| kind | types | size |\n| --- | --- | --- |\n" +
      "| `image` | JPEG, PNG | 5 MB |\n" +
      "| `sticker` | WebP | 500 KB |\n" +
      "| `audio` | AAC, AMR, MP3, MP4, OGG (Opus) | 16 MB |\n" +
      "| `video` | MP4, 3GPP | 16 MB |\n" +
      "| `document` | any except pages, scripts and programs | 100 MB |",
    query: createMediaQuery,
    body: createMediaBody,
    example: { url: "https://www.example.com/menu.pdf" },
    status: 201,
    response: { media: mediaView },
    errors: ["media_invalid"],
  },
  async (ctx, { query: { filename = null }, body, bytes }) => {
    const record =
      bytes === null
        ? await fetchMediaFrom(ctx, { url: body.url, filename: body.filename ?? filename })
        : await uploadMedia(ctx, bytes, filename);
    return { media: presentMedia(record) };
  },
);

mediaApi.get(
  "/media",
  {
    name: "media.list",
    summary: "List files, newest first",
    description: "Returns uploaded, fetched and received files.",
    query: listMediaQuery,
    response: { media: z.array(mediaView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listMedia(ctx, limit, cursor?.[0]), limit, ({ id }) => [id]);
    return { media: items.map(presentMedia), next_cursor: nextCursor };
  },
);

mediaApi.get(
  "/media/:id",
  {
    name: "media.get",
    summary: "Get a file's metadata",
    description: "The file's `status` shows whether its bytes are stored.",
    response: { media: mediaView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ media: presentMedia(await requireMedia(ctx, params.id)) }),
);

mediaApi.delete(
  "/media/:id",
  {
    name: "media.delete",
    summary: "Delete a file",
    description:
      "Deletes the file's content immediately. Sent messages keep the file's id. Queued messages that use the file fail.",
    response: { media: mediaView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ media: presentMedia(await deleteMedia(ctx, params.id)) }),
);

mediaApi.stream(
  "/media/:id/content",
  {
    name: "media.download",
    type: "*/*",
    summary: "Download a file",
    description:
      "Streams the file with its type and `ETag`. `Range` returns a part. `If-None-Match` returns 304 without bytes if the file is unchanged. " +
      "Images, videos and audio are `inline`; other files are an `attachment`. Returns 409 while the file is being downloaded, and 404 if the download failed or the file has expired.",
    errors: ["not_found", "invalid_state", "range_not_satisfiable"],
  },
  async (ctx, { params, ...request }) => presentFile(await readMedia(ctx, params.id, request)),
);

/** Providers fetch files without an API key, so each link is signed. */
export const mediaLinkRoutes: Route[] = [
  {
    method: "get",
    path: "/media/:token",
    handlers: [
      async (c) => {
        const request = { headers: c.req.raw.headers, isHead: c.req.method === "HEAD" };
        return respondWithStream(
          c,
          presentFile(await readLinkedMedia(c.var.base, c.req.param("token") ?? "", request)),
        );
      },
    ],
  },
];
