import type { z } from "zod";
import { createApi, publicApi } from "../../http/endpoint.ts";
import type { Ctx } from "../../shared/context.ts";
import { contactView, presentContact, updateContactBody } from "./contacts.schemas.ts";
import { getContact, updateContact } from "./contacts.service.ts";

export const contactsApi = createApi("Contacts", publicApi);

contactsApi.get(
  "/contacts/:id",
  { summary: "Get a contact, also an archived one", response: { contact: contactView }, errors: ["not_found"] },
  async (ctx, { params }) => ({ contact: presentContact(await getContact(ctx, params.id)) }),
);

const change = {
  summary: "Change a contact",
  description: "Only what is sent changes.",
  body: updateContactBody,
  response: { contact: contactView },
  errors: ["not_found" as const],
};

const changeContact = async (
  ctx: Ctx,
  { params, body }: { params: { id: string }; body: z.infer<typeof updateContactBody> },
) => ({
  contact: presentContact(
    await updateContact(ctx, params.id, {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.is_unsubscribed !== undefined && { isUnsubscribed: body.is_unsubscribed }),
    }),
  ),
});

contactsApi.patch("/contacts/:id", change, changeContact);
contactsApi.put("/contacts/:id", { ...change, summary: "Change a contact (as PATCH)" }, changeContact);
