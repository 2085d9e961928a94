import { listConnections } from "../../../features/connections/connections.service.ts";
import { findUsesOfTemplate } from "../../../features/campaigns/find-uses.ts";
import { sendTemplate } from "../../../features/messages/send/send-template.ts";
import { missingParts, parseTemplate } from "../../../features/templates/model/parse-template.ts";
import { describeMissing } from "../../../features/templates/templates.fitting.ts";
import { deleteTemplate, getTemplate } from "../../../features/templates/templates.service.ts";
import { sendingThrough } from "../../../shared/context.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { toLabel } from "../../kit/format.ts";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { RecordLinks, showDeletionPage } from "../../kit/page/record-pages.tsx";
import { EmptyState, Facts, Section, LocalTime } from "../../kit/feedback.tsx";
import { formBody } from "../../kit/forms/form-body.ts";
import { unparsedForm, unsentForm } from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { BubblePreview, TemplateBubble } from "../messages/template/template-bubble.tsx";
import { loadFiles, NO_FILES, takesFiles, withCheckedFiles } from "../messages/template/template-files.ts";
import { atValueFields, readTemplateValues } from "../messages/template/template-values.ts";
import { TemplateApproval, TemplateQuality } from "./templates.tsx";
import { FilledText, loadSampleValues } from "./templates-preview.tsx";
import { describeObstacle, fittingConnections, testBody, TestForm } from "./templates-test.tsx";

export const templateDetailPages = workspacePages();

async function templatePage({ ctx, path, refused }: WorkspaceRequest, id: string) {
  const [template, connections, sample] = await Promise.all([
    getTemplate(ctx, id),
    listConnections(ctx, 100, undefined),
    loadSampleValues(ctx),
  ]);
  const {
    name,
    source,
    status,
    language,
    category,
    connection_id,
    quality,
    rejection_reason: reason,
    updated_at,
  } = template;
  const needs = missingParts(parseTemplate(template));
  const files = await loadFiles(ctx, (refused ?? unsentForm).values, takesFiles(template));
  const at = path(`/templates/${id}`);
  const ways = fittingConnections(template, connections);
  const obstacle = describeObstacle(template, ways);
  const holder = connections.find((connection) => connection.id === connection_id);
  const held = connection_id === null ? "Created in Tidings" : `Synced from ${holder?.name ?? "a connection"}`;
  return (
    <Page
      title={name}
      scripts={["pages/preview.client.js", "pages/upload.client.js"]}
      actions={
        <>
          <ButtonLink href={`${at}/edit`}>Edit</ButtonLink>
          <ButtonLink href={`${at}/delete`}>Delete</ButtonLink>
        </>
      }
    >
      {source === "local" && <FilledText pieces={parseTemplate(template).body} sample={sample} />}
      {source === "external" && obstacle !== null && (
        <TemplateBubble template={template} values={new Map()} files={NO_FILES} />
      )}
      <div id="template-facts" {...(status === "PENDING" && { "data-poll": 5, "data-swap": "template-test" })}>
        <Facts
          facts={[
            ["Status", <TemplateApproval template={template} />],
            ...(reason === null ? [] : [["Rejection reason", reason] as const]),
            ...(quality === null ? [] : [["Quality", <TemplateQuality quality={quality} />] as const]),
            ...(needs.length === 0 ? [] : [["Needs", describeMissing(needs)] as const]),
            ["Source", held],
            ...(language === null ? [] : [["Language", language] as const]),
            ...(category === null ? [] : [["Category", toLabel(category.toLowerCase())] as const]),
            ["Changed", <LocalTime at={updated_at} />],
          ]}
        />
      </div>
      <Section id="template-test" title="Send test" help="Sends one real message to one number.">
        {obstacle === null ? (
          <TestForm at={at} template={template} sample={sample} files={files} ways={ways} />
        ) : (
          <EmptyState
            title={obstacle.title}
            action={status !== "PENDING" && <a href={path("/settings/connections")}>Go to connections</a>}
          >
            {obstacle.text}
          </EmptyState>
        )}
      </Section>
    </Page>
  );
}

templateDetailPages.get("/templates/:id", {}, (request, { params }) => templatePage(request, params.id));

templateDetailPages.post(
  "/templates/:id/send",
  {
    body: testBody,
    read: (form) => ({ ...formBody(testBody, form), ...readTemplateValues(form) }),
    onInvalid: (request, { id }) => templatePage(request, id),
  },
  async ({ ctx, path }, { params: { id }, body: { connection_id: connectionId, ...sent } }) => {
    const order = await withCheckedFiles(ctx, id, sent);
    await atValueFields(order, sendTemplate(sendingThrough(ctx, connectionId), id, { to: order.to }, order));
    return redirectTo(path(`/templates/${id}`), `Test to ${order.to} is on its way. Check the inbox for its status.`);
  },
);

/** Previews an incomplete test. */
templateDetailPages.post("/templates/:id/preview", unparsedForm, async ({ ctx }, { params: { id }, body }) => {
  const [template, sample] = await Promise.all([getTemplate(ctx, id), loadSampleValues(ctx)]);
  const files = await loadFiles(ctx, body.values, takesFiles(template));
  return (
    <Page title={template.name}>
      <BubblePreview template={template} values={body.values} own={sample} files={files} />
    </Page>
  );
});

templateDetailPages.get("/templates/:id/delete", {}, async (request, { params: { id } }) => {
  const [{ source, revision }, { name, campaigns }] = await Promise.all([
    getTemplate(request.ctx, id),
    findUsesOfTemplate(request.ctx, id),
  ]);
  const back = request.path(`/templates/${id}`);
  const use = (
    <>
      Cancel the unfinished campaigns that use it first:{" "}
      <RecordLinks at={request.path("/campaigns")} records={campaigns} />.
    </>
  );
  return showDeletionPage({
    title: `Delete ${name}?`,
    action: `${back}/delete`,
    back,
    consequence:
      source === "external"
        ? "It is also deleted at the provider and can no longer be sent. Sent messages stay. The provider may block its name for 30 days."
        : "You can no longer send it. Sent messages stay.",
    uses: campaigns.length === 0 ? [] : [use],
    confirm: "Delete template",
    revision,
    allowed: campaigns.length === 0,
  });
});

templateDetailPages.post("/templates/:id/delete", {}, async ({ ctx, path }, { params }) => {
  const { name } = await deleteTemplate(ctx, params.id);
  return redirectTo(path("/templates"), `${name} deleted.`);
});
