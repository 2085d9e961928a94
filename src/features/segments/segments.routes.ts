import * as z from "zod";
import { type FieldKind, opsByKind, ownFields } from "./segments.fields.ts";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { encodeCursor, page } from "../../http/fields.ts";
import { contactView, presentContact } from "../contacts/contacts.schemas.ts";
import { countSegmentContacts, listSegmentContacts } from "./segment-contacts.ts";
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

const kindTexts: Record<FieldKind, { types: string; values: string }> = {
  text: {
    types: "custom `text`, `url`, `email`",
    values: "Texts of at most 500 characters; case and accents do not matter.",
  },
  phone: {
    types: "custom `phone`",
    values:
      "Numbers in international format; `phone` matches any spelling of the number. `contains` and `starts_with` accept digits, with or without punctuation.",
  },
  id: { types: "", values: "Ids." },
  choice: { types: "custom `select`", values: "Options, exactly as written." },
  country: { types: "custom `country`", values: "ISO 3166-1 codes, like `BR`." },
  number: { types: "custom `number`", values: "Numbers." },
  boolean: { types: "custom `boolean`", values: "`true` or `false`." },
  date: {
    types: "custom `date`",
    values: "Dates, like `2026-01-31`. `within_days: n` means today (UTC) or one of the n days before.",
  },
  datetime: {
    types: "custom `datetime`",
    values:
      "Times with an offset, or dates, which are whole days in UTC: `gt` means after the day, `eq` within the day. `within_days: n` means the last n times 24 hours.",
  },
  multi_choice: { types: "custom `multi_select`", values: "Lists of options." },
  tags: { types: "", values: "Lists of tag names." },
};

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

function tableRow(kind: FieldKind): string {
  const own = Object.entries(ownFields).flatMap(([name, field]) => (field.kind === kind ? [name] : []));
  const { types, values } = kindTexts[kind];
  const fields = [code(own), types].filter((text) => text !== "").join(", ");
  return `| ${fields} | ${code(opsByKind[kind])} | ${values} |`;
}

const isKind = (name: string): name is FieldKind => Object.hasOwn(opsByKind, name);

const filterGuide = `A segment contains the active contacts that match its filter. A filter has \`match\` (\`all\` or \`any\`) and 1 to 20
\`conditions\` of \`{field, op, value}\`. One condition can be a group \`{match, conditions}\`, whose conditions count toward the 20.

| field | op | value |
|---|---|---|
${Object.keys(opsByKind).filter(isKind).map(tableRow).join("\n")}

\`in\`, \`not_in\`, \`has_all\`, \`has_any\` and \`has_none\` accept a list of 1 to 200 values. \`between\` accepts two values, the lower first;
both are included. \`within_days\` accepts 1 to 3650. \`is_set\` and \`is_not_set\` accept no value. Only \`ne\`, \`not_in\`, \`has_none\` and \`is_not_set\`
match contacts without a value. Custom fields are named \`custom_fields.<key>\`.

The filter stores tags and custom fields by id, so renaming a tag has no effect. Unknown tags and fields return an error.`;

export const segmentsApi = createApi("Segments", publicApi);

const segmentResponse = (record: SegmentRecord) => ({ segment: presentSegment(record), revision: record.revision });

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
    description: "Returns each segment with its filter, and whether the filter is valid.",
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
  async (ctx, { body }) => segmentResponse(await createSegment(ctx, body)),
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
  async (ctx, { params }) => segmentResponse(await getSegment(ctx, params.id)),
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
  async (ctx, { params, body }) => segmentResponse(await updateSegment(ctx, params.id, body)),
);

segmentsApi.delete(
  "/segments/:id",
  {
    name: "segments.delete",
    summary: "Delete a segment",
    description:
      "Returns the deleted segment. The contacts of the segment are not deleted. If a scheduled campaign uses the segment, the request returns 409 with the `campaign_id`.",
    response: { segment: segmentView },
    returnsETag: true,
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params }) => segmentResponse(await deleteSegment(ctx, params.id)),
);

segmentsApi.get(
  "/segments/:id/contacts",
  {
    name: "segments.contacts",
    tool: "read",
    summary: "List the contacts of a segment, newest first",
    description:
      "Returns active contacts that currently match the filter. A page reads at most 5,000 contacts, so it can be short or " +
      "empty while `next_cursor` is not null. A page is slow if the filter matches few contacts. Slow pages run one at a time in a workspace, and so do all pages if many requests arrive at once. Other requests wait for up to 10 seconds, then return 429 with Retry-After. An invalid segment returns an error, because without its deleted items the filter would match other contacts.",
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
      "Counts active contacts only. A count reads every contact, so only one count can run in a workspace at a time; other requests wait for up to 10 seconds, then return 429 with Retry-After. For more than 2,000 contacts, a count can be up to 5 seconds old.",
    response: { count: z.int() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params }) => ({ count: await countSegmentContacts(ctx, params.id) }),
);
