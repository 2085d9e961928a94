import * as z from "zod";
import { publicApi } from "../../../http/audiences.ts";
import { createApi } from "../../../http/endpoint.ts";
import { recordId } from "../../../http/fields.ts";
import { contactView, presentContact } from "../../contacts/contacts.schemas.ts";
import { mergeSummary } from "./decide-merge.ts";
import { mergeContactInto, previewMerge } from "./merge-on-request.ts";

const mergeBody = z.strictObject({
  from: recordId.meta({ description: "Contact to merge into the contact in the path." }),
  preview: z
    .boolean()
    .optional()
    .meta({ description: "`true` changes nothing and returns the result that the merge would have." }),
});

export const contactMergesApi = createApi("Contacts", publicApi);

contactMergesApi.post(
  "/contacts/:id/merge",
  {
    name: "contacts.merge",
    summary: "Merge two contacts of one person",
    description:
      "The contact in the path remains. It receives missing fields, tags, conversations, messages, opt-outs and provider ids from the other contact. " +
      "`moved` counts the received records; `dropped` contains the lost values of the other contact, with custom fields as `custom_fields.<key>`. " +
      "Two conversations on the same connection become one. It is open if either was open, keeps the earlier snooze, and has at most " +
      "20 labels; `dropped` contains the lost labels, assignees and snooze. " +
      "After the merge, the other contact's id returns 404 with `merged_into`. A merge cannot be undone. `preview` changes nothing, so read-only keys can use it.",
    body: mergeBody,
    example: { from: "ct_01kb9s5d2q6v0x4m8c1t3n7b9y", preview: true },
    response: { contact: contactView, ...mergeSummary.shape },
    returnsETag: true,
    acceptsIfMatch: true,
    isPreview: ({ preview }) => preview === true,
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => {
    const merge = body.preview === true ? previewMerge : mergeContactInto;
    const { contact, layout, extra } = await merge(ctx, { id: params.id, from: body.from });
    return { contact: presentContact(contact, layout), revision: contact.revision, ...extra };
  },
);
