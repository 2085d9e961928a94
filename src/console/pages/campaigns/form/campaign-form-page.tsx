import { listConnections } from "../../../../features/connections/connections.service.ts";
import { listSegments } from "../../../../features/segments/segments.service.ts";
import { listTags } from "../../../../features/tags/tags.service.ts";
import { isAuthentication, parseTemplate } from "../../../../features/templates/model/parse-template.ts";
import { listTemplates } from "../../../../features/templates/templates.service.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { EmptyState } from "../../../kit/feedback.tsx";
import type { FormState } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { Page } from "../../../kit/page/page.tsx";
import { listAllCustomFields } from "../../custom-fields/custom-fields-parts.tsx";
import { loadFiles, takesFiles } from "../../messages/template/template-files.ts";
import { CampaignForm, type CampaignFormUse } from "./campaign-form.tsx";

const MAX_LISTED = 500;

/** The form, filled from a submission, the query, or a stored campaign. */
export async function campaignFormPage(request: WorkspaceRequest, state: FormState, use: CampaignFormUse) {
  const { ctx, path } = request;
  const [approved, connections, tags, segments, fields] = await Promise.all([
    listTemplates(ctx, { status: "APPROVED", source: undefined, limit: undefined, before: undefined }),
    listConnections(ctx, MAX_LISTED, undefined),
    listTags(ctx, MAX_LISTED),
    listSegments(ctx, MAX_LISTED, undefined),
    listAllCustomFields(ctx),
  ]);
  const templates = approved.filter(
    (each) => parseTemplate(each).unsupported.length === 0 && !isAuthentication(each.category),
  );
  const template = templates.find(({ id }) => id === state.values.get("template_id")?.[0]) ?? null;
  const fieldKeys = fields.map(({ field_key }) => field_key);
  const files = await loadFiles(ctx, state.values, template !== null && takesFiles(template));
  return (
    <Page title={use.title} scripts={["times.client.js", "pages/preview.client.js", "pages/upload.client.js"]}>
      {templates.length === 0 ? (
        <EmptyState
          title="No templates to send yet"
          action={
            <ButtonLink href={path("/templates")} kind="primary">
              Go to templates
            </ButtonLink>
          }
        >
          A campaign sends a template: a text with variables, like names. Create a template, or sync those approved by
          your provider.
        </EmptyState>
      ) : (
        <CampaignForm
          choices={{ templates, connections, tags, segments, fieldKeys }}
          template={template}
          files={files}
          state={state}
          use={use}
        />
      )}
    </Page>
  );
}
