import { publicApi } from "../../../http/audiences.ts";
import { createApi } from "../../../http/endpoint.ts";
import { contactView, presentContact } from "../../contacts/contacts.schemas.ts";
import { mergeBody, mergeSummary } from "./merge-request.schemas.ts";
import { requestMerge } from "./merge-request.ts";

export const contactMergesApi = createApi("Contacts", publicApi);

contactMergesApi.post(
  "/contacts/:id/merge",
  {
    name: "contacts.merge",
    summary: "Merge two contacts of one person",
    description:
      "The contact in the path stays, and receives from the other contact what it lacks: fields, tags, conversations, messages, opt-outs and ids at providers. " +
      "`moved` counts the records it receives; `dropped` contains the lost values of the other contact, with custom fields as `custom_fields.<key>`. " +
      "Two conversations on one connection become one, which is open if either was, keeps the earlier of two snoozes and has at most " +
      "20 labels: `dropped` contains labels, assignees and a snooze that it does not keep. " +
      "Afterwards, the other id returns 404 with `merged_into`. A merge cannot be undone. `preview` changes nothing and is open to read-only keys.",
    body: mergeBody,
    example: { from: "ct_01kb9s5d2q6v0x4m8c1t3n7b9y", preview: true },
    response: { contact: contactView, ...mergeSummary.shape },
    returnsETag: true,
    acceptsIfMatch: true,
    isPreview: ({ preview }) => preview === true,
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => {
    const { from, preview = false } = body;
    const { contact, layout, extra } = await requestMerge(ctx, { id: params.id, from, preview });
    return { contact: presentContact(contact, layout), revision: contact.revision, ...extra };
  },
);
