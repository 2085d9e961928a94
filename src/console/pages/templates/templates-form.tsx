import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import * as z from "zod";
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
import { TemplatePreview, loadSampleValues, VariableHelp } from "./templates-preview.tsx";

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
