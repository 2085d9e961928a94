import type { FC } from "hono/jsx";
import { submitTemplate } from "../../../../features/templates/submit/submit-template.ts";
import { exampleFiles } from "../../../../features/templates/submit/example-files.ts";
import {
  submitTemplateBody,
  type TemplateRecord,
  updateTemplateBody,
} from "../../../../features/templates/templates.schemas.ts";
import { getTemplate, updateTemplate } from "../../../../features/templates/templates.service.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { workspacePages } from "../../../kit/audiences.ts";
import { EmptyState } from "../../../kit/feedback.tsx";
import {
  parseInput,
  type SentForm,
  type SentValues,
  unparsedForm,
  unsentForm,
  type FormState,
} from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { redirectTo } from "../../../kit/results.ts";
import { Page } from "../../../kit/page/page.tsx";
import { loadFiles, requireFiles } from "../../messages/template/template-files.tsx";
import { applyChange } from "./editor-changes.ts";
import { EditorForm } from "./editor-form.tsx";
import { mergeChanges, storedFields } from "./editor-stored.ts";
import { hasFiles, typedIn, type Written, writeComponents } from "./editor-values.ts";
import { TemplateKinds } from "../templates.tsx";
import { listAllConnections } from "../../choices.ts";
import { atFields } from "../../../kit/forms/faults.ts";
import { faultOfEditor } from "./editor-faults.ts";

export const templateEditorPages = workspacePages();

const NEW = "/templates/new/whatsapp";

const NoOfficialConnection: FC<{ connections: string }> = ({ connections }) => (
  <EmptyState title="No official connection" action={<ButtonLink href={connections}>Go to connections</ButtonLink>}>
    WhatsApp reviews templates for official connections. Create a connection first.
  </EmptyState>
);

interface Editing {
  template: TemplateRecord | null;
  state?: FormState;
  focus?: string | null;
}

async function editorPage(
  request: WorkspaceRequest,
  { template, state = request.refused ?? unsentForm, focus = null }: Editing,
) {
  const { ctx, path } = request;
  const [all, files] = await Promise.all([
    listAllConnections(ctx),
    loadFiles(ctx, state.values, hasFiles(state.values)),
  ]);
  const connections = all.filter(({ channel }) => channel === "official");
  const at = path(template === null ? NEW : `/templates/${template.id}/revise`);
  return (
    <Page
      title={template === null ? "New template" : `Edit ${template.name}`}
      scripts={["pages/preview.client.js", "pages/template-editor.client.js", "pages/upload.client.js"]}
    >
      {template === null && <TemplateKinds chosen="whatsapp" />}
      {connections.length === 0 ? (
        <NoOfficialConnection connections={path("/settings/connections")} />
      ) : (
        <EditorForm at={at} template={template} connections={connections} state={state} files={files} focus={focus} />
      )}
    </Page>
  );
}

const newFields: SentValues = new Map(
  Object.entries({ category: "MARKETING", language: "en", layout: "message", "header.format": "NONE" }).map(
    ([name, text]) => [name, [text]],
  ),
);

templateEditorPages.get(NEW, {}, (request) =>
  editorPage(request, { template: null, state: { ...unsentForm, values: newFields } }),
);

const atEditor = <T,>(values: SentValues, components: Written[], work: () => Promise<T>): Promise<T> =>
  atFields(work(), (fault) => faultOfEditor(fault, values, components));

const checkExamples = (ctx: WorkspaceRequest["ctx"], components: Parameters<typeof exampleFiles>[0]) =>
  requireFiles(
    ctx,
    exampleFiles(components).map(({ path, ...file }) => ({ ...file, field: path })),
  );

templateEditorPages.post(
  NEW,
  { ...unparsedForm, onInvalid: (request) => editorPage(request, { template: null }) },
  async ({ ctx, path }, { body: { values } }) => {
    const components = writeComponents(values);
    const { id, name } = await atEditor(values, components, async () => {
      const fields = ["connection_id", "name", "language", "category"];
      const sent = Object.fromEntries(fields.map((field) => [field, typedIn(values, field) || undefined]));
      const input = parseInput(submitTemplateBody, { ...sent, components });
      await checkExamples(ctx, input.components);
      return submitTemplate(ctx, input);
    });
    return redirectTo(path(`/templates/${id}`), `${name} submitted. The provider reviews it now.`);
  },
);

/**
 * Renders the editor again after the user added or removed a row. The hidden fields keep their original values,
 * so that the server still finds conflicts when the user saves.
 */
const changed = (request: WorkspaceRequest, template: TemplateRecord | null, { values: sent, origin }: SentForm) => {
  const { values, focus } = applyChange(sent, typedIn(sent, "change"));
  return editorPage(request, { template, state: { ...unsentForm, values, origin }, focus });
};

templateEditorPages.post(`${NEW}/preview`, unparsedForm, (request, { body }) => changed(request, null, body));

templateEditorPages.post("/templates/:id/revise/preview", unparsedForm, async (request, { params, body }) =>
  changed(request, await getTemplate(request.ctx, params.id), body),
);

export const revisionPage = (request: WorkspaceRequest, template: TemplateRecord) =>
  editorPage(request, { template, state: { ...unsentForm, values: storedFields(template) } });

templateEditorPages.post(
  "/templates/:id/revise",
  {
    ...unparsedForm,
    onInvalid: async (request, { id }) => {
      const template = await getTemplate(request.ctx, id);
      return editorPage(request, {
        template,
        state: mergeChanges(request.refused ?? unsentForm, storedFields(template)),
      });
    },
  },
  async ({ ctx, path }, { params: { id }, body: { values } }) => {
    const before = await getTemplate(ctx, id);
    const components = writeComponents(values);
    const category = typedIn(values, "category");
    const { name } = await atEditor(values, components, async () => {
      const change = parseInput(updateTemplateBody, { ...(category !== before.category && { category }), components });
      await checkExamples(ctx, change.components ?? []);
      return updateTemplate(ctx, id, change);
    });
    return redirectTo(path(`/templates/${id}`), `${name} saved. The provider reviews it again.`);
  },
);
