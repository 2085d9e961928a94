import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { encodeCursor } from "../../http/fields.ts";
import type { Ctx } from "../../shared/context.ts";
import { invalid } from "../../shared/errors.ts";
import { searchedFields } from "./contact-fields.schemas.ts";
import {
  batchBody,
  batchCounts,
  batchResult,
  type ContactAnswer,
  contactView,
  parseContactRow,
  listContactsQuery,
  presentContact,
  readOnlyFields,
  updateContactBody,
  upsertContactBody,
  upsertOutcome,
} from "./contacts.schemas.ts";
import { archiveContact, getContact, restoreContact } from "./contacts.service.ts";
import { contactFilterFromQuery, searchContacts } from "./search/search-contacts.ts";
import { upsertBatch } from "./upsert/upsert-batch.ts";
import { updateContact, upsertContact } from "./upsert/upsert-contacts.ts";

export const contactsApi = createApi("Contacts", publicApi);

const contactResponse = ({ contact, layout }: ContactAnswer) => ({
  contact: presentContact(contact, layout),
  revision: contact.revision,
});

contactsApi.get(
  "/contacts",
  {
    name: "contacts.list",
    tool: "read",
    summary: "Search contacts, newest first",
    description:
      `A \`search\` of three or more characters matches any part of ${searchedFields("or")}. ` +
      "A shorter search matches the beginning of a word. Several words must follow each other in one field. Case, accents and the punctuation of numbers do not matter. " +
      "A workspace runs one slow search or large total at a time; others wait up to 10 seconds, then return 429 with Retry-After. Large totals can be 5 seconds old.",
    query: listContactsQuery,
    response: {
      contacts: z.array(contactView),
      limit: z.int(),
      offset: z.int(),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
      total: z.int().optional(),
    },
  },
  async (ctx, { query }) => {
    const { limit, offset, cursor, include_total: includeTotal = false } = query;
    if (offset !== undefined && cursor !== undefined) {
      throw invalid({ path: "query.offset", code: "invalid_value", message: "Send offset or cursor, not both." });
    }
    const page = { limit, offset: offset ?? 0, after: cursor?.[0], includeTotal };
    const hits = await searchContacts(ctx, contactFilterFromQuery(query), page);
    return {
      contacts: hits.rows.map(({ contact }) => presentContact(contact, hits.layout)),
      limit,
      offset: offset ?? 0,
      has_more: hits.next !== null,
      next_cursor: hits.next === null ? null : encodeCursor([hits.next]),
      ...(hits.total !== null && { total: hits.total }),
    };
  },
);

contactsApi.post(
  "/contacts",
  {
    name: "contacts.upsert",
    tool: { destructive: true, idempotent: true, openWorld: false },
    summary: "Create or update a contact",
    description:
      "Finds the contact by phone, then by email, and creates it if neither matches. Adds `tags` to the contact's tags, merges custom fields and clears fields that are null. Ignores read-only fields, so you can send a contact as it was returned.",
    body: upsertContactBody,
    example: { phone: "+14155550100", name: "Ada Okafor", email: "ada.okafor@example.com", tags: ["VIP"] },
    status: 200,
    otherStatus: { status: 201, when: ({ created }) => created },
    response: { contact: contactView, ...upsertOutcome },
    returnsETag: true,
    errors: ["conflict"],
  },
  async (ctx, { body }) => {
    const upserted = await upsertContact(ctx, body);
    return { ...contactResponse(upserted), ...upserted.extra };
  },
);

contactsApi.post(
  "/contacts/batch",
  {
    name: "contacts.upsertBatch",
    summary: "Create or update up to 500 contacts",
    description:
      "Processes rows in order: a row can match an earlier row. An invalid row does not affect the other rows. " +
      "Stores the contacts in parts of 15. After an error, a repeat with the same `Idempotency-Key` stores only the other parts.",
    body: batchBody,
    example: {
      contacts: [
        { phone: "+14155550100", name: "Ada Okafor" },
        { email: "bruno@example.com", tags: ["Newsletter"] },
      ],
    },
    rows: "contacts",
    response: { results: z.array(batchResult), counts: batchCounts },
  },
  async (ctx, { body }) => upsertBatch(ctx, body.contacts, (row, index) => parseContactRow(row, `contacts.${index}`)),
);

contactsApi.get(
  "/contacts/:id",
  {
    name: "contacts.get",
    tool: "read",
    summary: "Get a contact",
    description: "Returns active and archived contacts, with their tags, custom fields and ids at providers.",
    response: { contact: contactView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => contactResponse(await getContact(ctx, params.id)),
);

const change = {
  summary: "Change a contact",
  description:
    "Changes only the fields that are sent. Replaces `tags`, merges custom fields and clears fields that are null.",
  body: updateContactBody,
  example: { company: "Okafor Ltd", lifecycle_stage: "customer" as const, tags: ["VIP", "Newsletter"] },
  response: { contact: contactView },
  returnsETag: true as const,
  errors: ["not_found" as const, "conflict" as const],
};

const changeContact = async (
  ctx: Ctx,
  { params, body }: { params: { id: string }; body: z.infer<typeof updateContactBody> },
) => {
  const readOnly = Object.entries(body).filter(([name, value]) => readOnlyFields.includes(name) && value !== undefined);
  return contactResponse(await updateContact(ctx, params.id, body, readOnly));
};

contactsApi.patch("/contacts/:id", { name: "contacts.update", ...change }, changeContact);
contactsApi.put("/contacts/:id", { name: "contacts.put", ...change, summary: "Change a contact (PUT)" }, changeContact);

contactsApi.delete(
  "/contacts/:id",
  {
    name: "contacts.archive",
    summary: "Archive a contact",
    description: "Hides the contact from lists and campaigns, without deleting it.",
    response: { contact: contactView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => contactResponse(await archiveContact(ctx, params.id)),
);

contactsApi.post(
  "/contacts/:id/restore",
  {
    name: "contacts.restore",
    summary: "Restore an archived contact",
    description: "Returns the contact to lists and campaigns. A contact that is not archived stays unchanged.",
    response: { contact: contactView },
    returnsETag: true,
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params }) => contactResponse(await restoreContact(ctx, params.id)),
);
