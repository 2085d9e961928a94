import * as z from "zod";
import {
  createTemplateBody,
  type TemplateRecord,
  updateTemplateBody,
} from "../../../features/templates/templates.schemas.ts";
import { createTemplate, getTemplate, updateTemplate } from "../../../features/templates/templates.service.ts";
import { go, refuse, show } from "../../kit/answers.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Form, Submit, TextArea, TextField } from "../../kit/form-fields.tsx";
import { type FormState, type SentForm, untouched } from "../../kit/forms.ts";
import type { WorkspaceVisit } from "../../kit/visit.ts";
import { Preview, sampleOf, VariableHelp } from "./templates-preview.tsx";

export const templateFormPages = workspacePages();

/** `template`: null for a new one. */
async function formPage({ ctx, path }: WorkspaceVisit, template: TemplateRecord | null, state: FormState = untouched) {
  const sample = await sampleOf(ctx);
  const at = path(template === null ? "/templates/new" : `/templates/${template.id}/edit`);
  return show({
    title: template === null ? "New template" : `Edit ${template.name}`,
    scripts: ["templates.client.js"],
    body: (
      <div class="split">
        <div>
          <Form action={at} state={state}>
            <TextField
              name="name"
              label="Name"
              help="What your team calls it; nobody else sees it."
              value={template?.name}
              required
              state={state}
            />
            <TextArea
              name="body"
              label="Text"
              help="Use variables like {{first_name|there}}."
              rows={8}
              maxlength={4096}
              value={template?.body}
              required
              state={state}
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
            <Preview body={state.values.get("body")?.[0] ?? template?.body ?? ""} sample={sample} />
          </div>
          <VariableHelp sample={sample} />
        </div>
      </div>
    ),
  });
}

templateFormPages.get("/templates/new", {}, (visit) => formPage(visit, null));

templateFormPages.post(
  "/templates/new",
  { body: createTemplateBody, again: (visit, _, form) => formPage(visit, null, form) },
  async ({ ctx, path }, { body }) => {
    const { id, name } = await createTemplate(ctx, body);
    return go(path(`/templates/${id}`), `${name} has been created.`);
  },
);

templateFormPages.get("/templates/:id/edit", {}, async (visit, { params: { id } }) => {
  const template = await getTemplate(visit.ctx, id);
  return template.source === "local"
    ? formPage(visit, template)
    : refuse(
        visit.path(`/templates/${id}`),
        "The provider holds this template. Change it there, then sync the connection.",
      );
});

const again = async (visit: WorkspaceVisit, { id }: { id: string }, form: FormState) =>
  formPage(visit, await getTemplate(visit.ctx, id), form);

const readTemplate = (form: SentForm) => ({ name: form.text("name") ?? "", body: form.text("body") ?? "" });

templateFormPages.post(
  "/templates/:id/edit",
  {
    body: updateTemplateBody,
    read: readTemplate,
    again,
  },
  async ({ ctx, path }, { params, body }) => {
    const { id, name } = await updateTemplate(ctx, params.id, body);
    return go(path(`/templates/${id}`), `${name} has been saved.`);
  },
);

/** Whatever has been written so far. */
const draft = z.object({ name: z.string(), body: z.string() });

const stateOfDraft = ({ name, body }: z.infer<typeof draft>): FormState => ({
  ...untouched,
  values: new Map([
    ["name", [name]],
    ["body", [body]],
  ]),
});

templateFormPages.post("/templates/new/preview", { body: draft, read: readTemplate }, (visit, { body }) =>
  formPage(visit, null, stateOfDraft(body)),
);

templateFormPages.post(
  "/templates/:id/edit/preview",
  { body: draft, read: readTemplate, again },
  async (visit, { params, body }) => formPage(visit, await getTemplate(visit.ctx, params.id), stateOfDraft(body)),
);
