import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { encodeCursor, page } from "../../http/fields.ts";
import { contactView, presentContact } from "../contacts/contacts.schemas.ts";
import { countSegmentContacts } from "./count-segment-contacts.ts";
import { listSegmentContacts } from "./list-segment-contacts.ts";
import { filterGuide } from "./segments.guide.ts";
import {
  createSegmentBody,
  listSegmentsQuery,
  presentSegment,
  segmentContactsQuery,
  type SegmentRecord,
  segmentView,
  updateSegmentBody,
} from "./segments.schemas.ts";
import { createSegment, deleteSegment, getSegment, listSegments, updateSegment } from "./segments.service.ts";

export const segmentsApi = createApi("Segments", publicApi);

const answerSegment = (record: SegmentRecord) => ({ segment: presentSegment(record), revision: record.revision });

const filterExample = {
  match: "all" as const,
  conditions: [
    { field: "status", op: "in", value: ["hot", "warm"] },
    { field: "created_at", op: "within_days", value: 30 },
  ],
};

segmentsApi.get(
  "/segments",
  {
    name: "segments.list",
    tool: "read",
    summary: "List segments, newest first",
    description: "Returns their filters, and whether each filter is valid.",
    query: listSegmentsQuery,
    response: { segments: z.array(segmentView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listSegments(ctx, limit, cursor?.[0]), limit, ({ id }) => [id]);
    return { segments: items.map(presentSegment), next_cursor: nextCursor };
  },
);

segmentsApi.post(
  "/segments",
  {
    name: "segments.create",
    summary: "Create a segment",
    description: filterGuide,
    body: createSegmentBody,
    example: { name: "Warm leads", filter: filterExample },
    status: 201,
    response: { segment: segmentView },
    returnsETag: true,
  },
  async (ctx, { body }) => answerSegment(await createSegment(ctx, body)),
);

segmentsApi.get(
  "/segments/:id",
  {
    name: "segments.get",
    tool: "read",
    summary: "Get a segment",
    description:
      "Tags and custom fields have their current names. If a tag or field of the filter was deleted, " +
      "`invalid` is true and `reasons` lists the conditions; the filter then contains the last known name.",
    response: { segment: segmentView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerSegment(await getSegment(ctx, params.id)),
);

segmentsApi.patch(
  "/segments/:id",
  {
    name: "segments.update",
    summary: "Change a segment",
    description: "Changes only the fields that are sent. `filter` replaces the previous filter.",
    body: updateSegmentBody,
    example: { name: "Leads to call", filter: filterExample },
    response: { segment: segmentView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => answerSegment(await updateSegment(ctx, params.id, body)),
);

segmentsApi.delete(
  "/segments/:id",
  {
    name: "segments.delete",
    summary: "Delete a segment",
    description:
      "Returns the deleted segment. Its contacts stay. If a scheduled campaign uses it, the request returns 409 with the `campaign_id`.",
    response: { segment: segmentView },
    returnsETag: true,
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params }) => answerSegment(await deleteSegment(ctx, params.id)),
);

segmentsApi.get(
  "/segments/:id/contacts",
  {
    name: "segments.contacts",
    tool: "read",
    summary: "List the contacts of a segment, newest first",
    description:
      "Returns active contacts that currently match the filter. A page reads at most 5,000 contacts, so it can be short or " +
      "empty while `next_cursor` is not null. Pages with few matches, and many pages at once, run one at a time: while others " +
      "run, the request returns 429 with Retry-After. An invalid segment is an error, because its filter would match other contacts.",
    query: segmentContactsQuery,
    response: { contacts: z.array(contactView), next_cursor: z.string().nullable() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, query: { limit, cursor } }) => {
    const { contacts, layout, next } = await listSegmentContacts(ctx, params.id, { limit, before: cursor?.[0] });
    return {
      contacts: contacts.map((contact) => presentContact(contact, layout)),
      next_cursor: next === null ? null : encodeCursor([next]),
    };
  },
);

segmentsApi.get(
  "/segments/:id/count",
  {
    name: "segments.count",
    tool: "read",
    summary: "Count the contacts of a segment",
    description:
      "Counts active contacts only. A count reads every contact of the workspace, so counts run one at a time: while others run, " +
      "the request returns 429 with Retry-After. For more than 2,000 contacts, a count can be up to 5 seconds old.",
    response: { count: z.int() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params }) => ({ count: await countSegmentContacts(ctx, params.id) }),
);
