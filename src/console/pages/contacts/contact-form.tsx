import * as z from "zod";
import {
  type ContactField,
  contactDefaults,
  contactFieldNames,
  contactFields,
} from "../../../features/contacts/contact-fields.schemas.ts";
import {
  type ContactAnswer,
  type contactView,
  presentContact,
  updateContactBody,
  upsertContactBody,
} from "../../../features/contacts/contacts.schemas.ts";
import { getContact } from "../../../features/contacts/contacts.service.ts";
import { updateContact, upsertContact } from "../../../features/contacts/upsert/upsert-contacts.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { phoneNumber } from "../../../http/fields.ts";
import { AppError } from "../../../shared/errors.ts";
import { lacksCallingCode } from "../../../shared/text/phone.ts";
import { labelOptions } from "../../kit/format.ts";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Banner, Section } from "../../kit/feedback.tsx";
import { ManyField } from "../../kit/forms/choice-fields.tsx";
import { Form, SelectField, TextField } from "../../kit/forms/form-fields.tsx";
import { parseInput, type SentForm, unparsedForm } from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { CustomField, readCustomField, readTypedPhone, toOptions } from "./contact-fields.tsx";
import { contactName, conflictingContactId, ConflictingContactLink } from "./contact-parts.tsx";
import { listAllCustomFields, listAllTags } from "../choices.ts";
import { FormActions } from "../../kit/actions.tsx";

export const contactFormPages = workspacePages();

type Contact = z.output<typeof contactView>;

const inputs: Partial<Record<ContactField, { type?: "tel" | "email"; help?: string; value?: string }>> = {
  phone: {
    type: "tel",
    help: "Include the country code: +49 30 901820 for 030 901820 in Germany. A contact needs a phone or an email.",
  },
  email: { type: "email" },
  address_as: { help: "How messages greet this person, like Ada or Ms Lovelace." },
  status: { value: contactDefaults.status },
  lifecycle_stage: { value: contactDefaults.lifecycle_stage },
  source: { help: "Where this contact comes from.", value: "console" },
};

export const ContactFieldInput = ({
  name,
  contact,
}: {
  name: ContactField;
  contact: Pick<Contact, ContactField> | null;
}) => {
  const { label, kind, options } = contactFields[name];
  const { value: initial, ...input } = inputs[name] ?? {};
  const field = { name, label, value: contact === null ? initial : contact[name] };
  return kind === "choice" ? (
    <SelectField {...field} required options={labelOptions(options)} />
  ) : (
    <TextField {...field} {...input} />
  );
};

const readTags = (form: SentForm): string[] => [
  ...form.all("tag"),
  ...(form.text("tags") ?? "").split(",").filter((name) => name.trim() !== ""),
];

/** A typed number must have a plus. Without a country code, it could belong to several countries. */
const typedPhone = { phone: phoneNumber({ requirePlus: true }).nullable().optional() };
const newContact = upsertContactBody.safeExtend(typedPhone);
export const changedContact = updateContactBody.extend(typedPhone);

export const readPhone = (typed: string | null) =>
  typed === null || lacksCallingCode(typed) ? typed : readTypedPhone(typed);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Returns only the values that this user changed, so that saving keeps the changes of other users. */
function readChanges(form: SentForm, fields: CustomFieldRecord[], contact: Contact | null): Record<string, unknown> {
  const own = contactFieldNames.map(
    (name) => [name, name === "phone" ? readPhone(form.textOrNull(name)) : form.textOrNull(name)] as const,
  );
  const custom = fields.map((field) => [field.field_key, readCustomField(form, field)] as const);
  const before = contact?.custom_fields ?? {};
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const changed = custom
    .map(([key, value]) => [key, isEmpty(value) ? null : value] as const)
    .filter(([key, value]) => !isSame(value, before[key]));
  const tags = readTags(form);
  return {
    ...Object.fromEntries(own.filter(([name, value]) => !isSame(value, contact?.[name]))),
    ...(changed.length > 0 && { custom_fields: Object.fromEntries(changed) }),
    ...(!isSame(tags, contact?.tags.map(({ name }) => name) ?? []) && { tags }),
  };
}

async function formPage(request: WorkspaceRequest, found: ContactAnswer | null) {
  const contact = found === null ? null : presentContact(found.contact, found.layout);
  const { ctx, path } = request;
  const [fields, tags] = await Promise.all([listAllCustomFields(ctx), listAllTags(ctx)]);
  const own = contact?.tags.map(({ name }) => name) ?? [];
  const tagNames = [...new Set([...own, ...tags.map(({ name }) => name)])];
  const at = contact === null ? "/contacts" : `/contacts/${contact.id}`;
  const holder = conflictingContactId(request);
  return (
    <Page title={contact === null ? "New contact" : `Edit ${contactName(contact)}`}>
      <Form
        action={path(contact === null ? "/contacts/new" : `${at}/edit`)}
        class="narrow"
        revision={found?.contact.revision ?? null}
      >
        {holder !== undefined && (
          <Banner kind="note">
            This contact already exists. <ConflictingContactLink id={holder} />
          </Banner>
        )}
        {contactFieldNames.map((name) => (
          <ContactFieldInput name={name} contact={contact} />
        ))}
        {tagNames.length > 0 && (
          <ManyField name="tag" label="Tags" options={toOptions(tagNames)} chosen={own} box="scroll" />
        )}
        <TextField name="tags" label="New tags" help="Separate with commas. New tags are created." />
        {fields.length > 0 && (
          <Section title="Custom fields">
            {fields.map((field) => (
              <CustomField field={field} value={contact?.custom_fields[field.field_key]} />
            ))}
          </Section>
        )}
        <FormActions submit={contact === null ? "Create contact" : "Save"} cancel={path(at)} />
      </Form>
    </Page>
  );
}

contactFormPages.get("/contacts/new", { role: "agent" }, (request) => formPage(request, null));

contactFormPages.post(
  "/contacts/new",
  { role: "agent", ...unparsedForm, onInvalid: (request) => formPage(request, null) },
  async ({ ctx, path }, { body: form }) => {
    const changes = readChanges(form, await listAllCustomFields(ctx), null);
    const input = parseInput(newContact, { ...changes, update: false });
    const { contact, extra } = await upsertContact(ctx, input);
    if (!extra.created) {
      const kept = contact.is_archived === 1 ? "An archived contact" : "Another contact";
      const details = { field: extra.matched_by, contact_id: contact.id };
      throw new AppError("conflict", `${kept} has this ${extra.matched_by}.`, details);
    }
    return redirectTo(path(`/contacts/${contact.id}`), "Contact created.");
  },
);

contactFormPages.get("/contacts/:id/edit", { role: "agent" }, async (request, { params }) =>
  formPage(request, await getContact(request.ctx, params.id)),
);

contactFormPages.post(
  "/contacts/:id/edit",
  {
    role: "agent",
    ...unparsedForm,
    onInvalid: async (request, { id }) => formPage(request, await getContact(request.ctx, id)),
  },
  async (request, { params, body: form }) => {
    const { ctx, path } = request;
    const [{ contact: record, layout }, fields] = await Promise.all([
      getContact(ctx, params.id),
      listAllCustomFields(ctx),
    ]);
    const contact = presentContact(record, layout);
    await updateContact(ctx, params.id, parseInput(changedContact, readChanges(form, fields, contact)), []);
    return redirectTo(path(`/contacts/${params.id}`), "Saved.");
  },
);
