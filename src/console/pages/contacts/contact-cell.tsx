// A page with a form for one field of a contact. In the list of contacts, a script shows this form inside the
// cell.
import * as z from "zod";
import { type ContactField, contactFields, isContactField } from "../../../features/contacts/contact-fields.schemas.ts";
import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { getContact } from "../../../features/contacts/contacts.service.ts";
import { updateContact } from "../../../features/contacts/upsert/upsert-contacts.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { notFound } from "../../../shared/errors.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Form } from "../../kit/forms/form-fields.tsx";
import { parseInput, type SentForm, unparsedForm } from "../../kit/forms/forms.ts";
import { refererPath } from "../../kit/pages.ts";
import { redirectTo } from "../../kit/results.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { CustomField, readCustomField } from "./contact-fields.tsx";
import { changedContact, readPhone, ContactFieldInput } from "./contact-form.tsx";
import { contactName, conflictingContactId, ConflictingContactLink } from "./contact-parts.tsx";
import { listAllCustomFields } from "../choices.ts";
import { FormActions } from "../../kit/actions.tsx";

export const contactCellPages = workspacePages();

export const isOwnCell = (name: string): name is ContactField => isContactField(name) && contactFields[name].isListed;

async function findField({ ctx }: WorkspaceRequest, name: string): Promise<ContactField | CustomFieldRecord> {
  if (isOwnCell(name)) return name;
  const field = (await listAllCustomFields(ctx)).find(({ field_key }) => field_key === name);
  if (field === undefined) throw notFound("field");
  return field;
}

async function cellPage(request: WorkspaceRequest, id: string, name: string) {
  const { ctx, path } = request;
  const [{ contact: record, layout }, field] = await Promise.all([getContact(ctx, id), findField(request, name)]);
  const contact = presentContact(record, layout);
  const at = path(`/contacts/${id}`);
  return (
    <Page title={contactName(contact)}>
      <div id="cell">
        <Form action={`${at}/cell`} revision={record.revision} class="cell-form" swap="cell results">
          <input type="hidden" name="field" value={name} />
          {typeof field === "string" ? (
            <ContactFieldInput name={field} contact={contact} />
          ) : (
            <CustomField field={field} value={contact.custom_fields[name]} />
          )}
          <ConflictingContactLink id={conflictingContactId(request)} />
          <FormActions submit="Save" cancel={at} />
        </Form>
      </div>
    </Page>
  );
}

contactCellPages.get(
  "/contacts/:id/cell",
  { role: "agent", query: z.object({ field: z.string() }) },
  (request, { params, query }) => cellPage(request, params.id, query.field),
);

const fieldOf = (form: SentForm) => form.text("field") ?? "";

function readChange(form: SentForm, field: ContactField | CustomFieldRecord): Record<string, unknown> {
  if (typeof field !== "string") {
    const value = readCustomField(form, field);
    return { custom_fields: { [field.field_key]: Array.isArray(value) && value.length === 0 ? null : value } };
  }
  const text = form.textOrNull(field);
  return { [field]: field === "phone" ? readPhone(text) : text };
}

contactCellPages.post(
  "/contacts/:id/cell",
  {
    role: "agent",
    ...unparsedForm,
    onInvalid: (request, { id }) => cellPage(request, id, request.refused?.values.get("field")?.[0] ?? ""),
  },
  async (request, { params, body: form, c }) => {
    const change = readChange(form, await findField(request, fieldOf(form)));
    await updateContact(request.ctx, params.id, parseInput(changedContact, change), []);
    const from = refererPath(c);
    const isCell = from.startsWith(request.path(`/contacts/${params.id}/cell`));
    return redirectTo(isCell || from === "/console" ? request.path(`/contacts/${params.id}`) : from, "Saved.");
  },
);
