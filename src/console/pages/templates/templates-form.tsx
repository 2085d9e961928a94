import * as z from "zod";
import type { FC } from "hono/jsx";
import { sampleFields } from "../../../features/contacts/contact-fields.schemas.ts";
import type { ContactRecord } from "../../../features/contacts/contacts.schemas.ts";
import { contactValues } from "../../../features/contacts/contacts.values.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import type { FieldType } from "../../../features/custom-fields/custom-fields.values.ts";
import { isBlank, parseBody, type TextPieces, render } from "../../../features/templates/model/render-text.ts";
import type { Ctx } from "../../../shared/context.ts";
import { Section } from "../../kit/feedback.tsx";
import { listAllCustomFields } from "../choices.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { localTemplateBody, type TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { createTemplate, getTemplate, updateTemplate } from "../../../features/templates/templates.service.ts";
import { redirectTo, redirectWithError } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Form, Submit, TextArea, TextField } from "../../kit/forms/form-fields.tsx";
import { type FormState, unsentForm } from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { isEditable } from "./editor/editor-stored.ts";
import { revisionPage } from "./editor/templates-editor.tsx";
import { TemplateKinds } from "./templates.tsx";

const sampleValues = {
  text: () => "a text",
  number: () => 42,
  boolean: () => true,
  date: () => "2026-01-31",
  datetime: () => "2026-01-31T09:30:00.000Z",
  select: ([first]) => first,
  multi_select: (options) => options.slice(0, 2),
  country: () => "BR",
  url: () => "https://example.com",
  email: () => "alex@example.com",
  phone: () => "+14155550100",
} satisfies Record<FieldType, (options: string[]) => unknown>;

const sampleContact: ContactRecord = {
  id: "ct_sample",
  ...sampleFields,
  is_unsubscribed: 0,
  marketing_opt_out: 0,
  is_archived: 0,
  tags: [],
  custom_fields: {},
  external_ids: [],
  created_at: 0,
  updated_at: 0,
  revision: null,
};

const sampleValue = ({ number, type, options }: CustomFieldRecord) =>
  [String(number), sampleValues[type](options)] as const;

export async function loadSampleValues(ctx: Ctx): Promise<Map<string, string | null>> {
  const fields = await listAllCustomFields(ctx);
  const layout = fields.map(({ number, field_key: key, type, removed_options: removed }) => ({
    number,
    key,
    type,
    removed,
  }));
  const contact = { ...sampleContact, custom_fields: Object.fromEntries(fields.map(sampleValue)) };
  return new Map([...contactValues(contact, []), ...contactValues(contact, layout)]);
}

type SampleValues = ReadonlyMap<string, string | null>;

/** Fills in the variables. A variable without a value is rendered as it is written in the template. */
export const FilledText: FC<{ pieces: TextPieces; sample: SampleValues }> = ({ pieces, sample }) => (
  <p class="message-preview">
    {pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const { text, missing } = render([piece], (name) => sample.get(name));
      return missing.length === 0 ? <mark>{text}</mark> : <mark class="missing">{`{{${piece.name}}}`}</mark>;
    })}
  </p>
);

const TemplatePreview: FC<{ body: string; sample: SampleValues }> = ({ body, sample }) => {
  const { pieces, faults } = parseBody(body);
  const { missing } = render(pieces, (name) => sample.get(name));
  return (
    <Section id="preview" title="Preview">
      {isBlank(body) && <p class="help">Start writing to see the message here.</p>}
      {faults.map(({ message }) => (
        <p class="fault">{message}</p>
      ))}
      {!isBlank(body) && faults.length === 0 && <FilledText pieces={pieces} sample={sample} />}
      {faults.length === 0 && missing.length > 0 && (
        <p class="help">
          Contacts have no value for {missing.map((name) => `{{${name}}}`).join(", ")}. You provide it when you send the
          template.
        </p>
      )}
    </Section>
  );
};

const VariableHelp: FC<{ sample: SampleValues }> = ({ sample }) => (
  <Section
    title="Variables"
    help={
      <>
        <code>{"{{name}}"}</code> becomes the contact's name. <code>{"{{first_name|there}}"}</code> becomes “there” if
        the contact has no first name. Without a fallback, the message is not sent. You provide the values of{" "}
        <code>{"{{1}}"}</code>, <code>{"{{2}}"}</code> and of names that are not contact fields.
      </>
    }
  >
    <dl class="facts variables">
      {Array.from(sample, ([name, value]) => (
        <div>
          <dt>
            <code>{`{{${name}}}`}</code>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </Section>
);

export const templateFormPages = workspacePages();

async function formPage(
  request: WorkspaceRequest,
  template: TemplateRecord | null,
  state = request.refused ?? unsentForm,
) {
  const { ctx, path } = request;
  const sample = await loadSampleValues(ctx);
  const at = path(template === null ? "/templates/new" : `/templates/${template.id}/edit`);
  return (
    <Page title={template === null ? "New template" : `Edit ${template.name}`} scripts={["pages/preview.client.js"]}>
      {template === null && <TemplateKinds chosen="text" />}
      <div class="split">
        <div>
          <Form action={at} state={state} revision={template?.revision ?? null}>
            <TextField name="name" label="Name" help="Only visible to your team." value={template?.name} required />
            <TextArea
              name="body"
              label="Text"
              help="Use variables like {{first_name|there}}."
              rows={8}
              maxlength={MAX_MESSAGE_CHARACTERS}
              value={template?.body}
              required
            />
            <div class="actions">
              <Submit>{template === null ? "Create template" : "Save"}</Submit>
              <button type="submit" class="plain scriptless" formaction={`${at}/preview`} formnovalidate data-preview>
                Preview
              </button>
            </div>
          </Form>
        </div>
        <div>
          <div aria-live="polite">
            <TemplatePreview body={state.values.get("body")?.[0] ?? template?.body ?? ""} sample={sample} />
          </div>
          <VariableHelp sample={sample} />
        </div>
      </div>
    </Page>
  );
}

templateFormPages.get("/templates/new", {}, (request) => formPage(request, null));

templateFormPages.post(
  "/templates/new",
  { body: localTemplateBody, onInvalid: (request) => formPage(request, null) },
  async ({ ctx, path }, { body }) => {
    const { id, name } = await createTemplate(ctx, body);
    return redirectTo(path(`/templates/${id}`), `${name} created.`);
  },
);

templateFormPages.get("/templates/:id/edit", {}, async (request, { params: { id } }) => {
  const template = await getTemplate(request.ctx, id);
  if (template.source === "local") return formPage(request, template);
  return isEditable(template)
    ? revisionPage(request, template)
    : redirectWithError(
        request.path(`/templates/${id}`),
        "You can't edit all parts of this template here. Edit it at the provider, then sync the connection.",
      );
});

const onInvalid = async (request: WorkspaceRequest, { id }: { id: string }) =>
  formPage(request, await getTemplate(request.ctx, id));

templateFormPages.post(
  "/templates/:id/edit",
  { body: localTemplateBody, onInvalid },
  async ({ ctx, path }, { params, body }) => {
    const { id, name } = await updateTemplate(ctx, params.id, body);
    return redirectTo(path(`/templates/${id}`), `${name} saved.`);
  },
);

const previewBody = z.object({ name: z.string().default(""), body: z.string().default("") });

const previewState = ({ name, body }: z.infer<typeof previewBody>): FormState => ({
  ...unsentForm,
  values: new Map([
    ["name", [name]],
    ["body", [body]],
  ]),
});

templateFormPages.post("/templates/new/preview", { body: previewBody }, (request, { body }) =>
  formPage(request, null, previewState(body)),
);

templateFormPages.post(
  "/templates/:id/edit/preview",
  { body: previewBody, onInvalid },
  async (request, { params, body }) => formPage(request, await getTemplate(request.ctx, params.id), previewState(body)),
);
