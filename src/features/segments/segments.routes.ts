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
    description: "With their filters, and whether each can still be asked.",
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
    summary: "Save a filter over contacts",
    description: filterGuide,
    body: createSegmentBody,
    example: { name: "Warm leads", filter: filterExample },
    status: 201,
    response: { segment: segmentView },
    isRevisioned: true,
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
      "Tags and custom fields are shown by the names they have now. When one that the filter asks for was deleted, " +
      "`invalid` is true and `reasons` name the conditions; the filter then shows the last known name.",
    response: { segment: segmentView },
    isRevisioned: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerSegment(await getSegment(ctx, params.id)),
);

segmentsApi.patch(
  "/segments/:id",
  {
    name: "segments.update",
    summary: "Change a segment",
    description: "Only what is sent changes; a filter replaces the one before.",
    body: updateSegmentBody,
    example: { name: "Leads to call", filter: filterExample },
    response: { segment: segmentView },
    isRevisioned: true,
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
      "Answers the segment as it was. Its contacts stay. While a scheduled campaign goes to it, the answer is 409 with the `campaign_id`.",
    response: { segment: segmentView },
    isRevisioned: true,
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
      "Active contacts only, as the filter finds them now. A page looks at 5,000 contacts at most, so it may be short or " +
      "empty while `next_cursor` is not null. Pages that find little, and many at a time, run one after the other: where that " +
      "takes long, the answer is 429 with Retry-After. An invalid segment is refused: it would mean something else.",
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
      "Active contacts only. It looks at every contact of the workspace, so counts run one at a time: where others take long, " +
      "the answer is 429 with Retry-After. Of more than 2,000 contacts a count may be up to 5 seconds old.",
    response: { count: z.int() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params }) => ({ count: await countSegmentContacts(ctx, params.id) }),
);
