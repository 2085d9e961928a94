import type { Connection } from "../../../features/connections/connections.schemas.ts";
import * as z from "zod";
import type { FC } from "hono/jsx";
import { testTemplateBody } from "../../../features/messages/messages.schemas.ts";
import { parseTemplate, missingParts } from "../../../features/templates/model/parse-template.ts";
import { describeMissing, fitsConnection } from "../../../features/templates/templates.fitting.ts";
import type { TextPieces } from "../../../features/templates/model/render-text.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { Form, SelectField, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { providerFacts } from "../../../channels/providers.ts";
import { BubblePreview, PreviewButton, TemplateBubble } from "../messages/template/template-bubble.tsx";
import {
  describePlaceholder,
  TemplateHeaderField,
  TemplatePartFields,
  atValueFields,
  readTemplateValues,
} from "../messages/template/template-fields.tsx";
import {
  type TemplateFiles,
  loadFiles,
  NO_FILES,
  takesFiles,
  withCheckedFiles,
} from "../messages/template/template-files.tsx";
import { findUsesOfTemplate } from "../../../features/campaigns/find-uses.ts";
import { sendTemplate } from "../../../features/messages/send/send-template.ts";
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
import { ANY_UNOFFICIAL, TemplateApproval, TemplateQuality } from "./templates.tsx";
import { FilledText, loadSampleValues } from "./templates-form.tsx";
import { listAllConnections } from "../choices.ts";
import { EnterButton } from "../../kit/forms/hidden-fields.tsx";

type Sample = ReadonlyMap<string, string | null>;

interface TestProps {
  at: string;
  template: TemplateRecord;
  sample: Sample;
  files: TemplateFiles;
  ways: Connection[];
}

const isOpen = (name: string, pieces: TextPieces, sample: Sample): boolean =>
  !sample.has(name) &&
  !pieces.some((piece) => typeof piece !== "string" && piece.name === name && piece.fallback !== null);

const TestForm: FC<TestProps> = ({ at, template, sample, files, ways }) => {
  const pieces = parseTemplate(template).body;
  return (
    <Form action={`${at}/send`} class="narrow">
      <EnterButton label="Send test" />
      <SelectField
        name="connection_id"
        label="Through"
        options={ways.map(({ id, name, provider }) => ({
          value: id,
          label: `${name} (${providerFacts[provider].name})`,
        }))}
        value={ways.find(({ isDefault }) => isDefault)?.id}
        required
      />
      <TextField
        name="to"
        label="To"
        type="tel"
        help="A phone number with the country code, like +14155550100."
        required
      />
      <TemplateHeaderField template={template} files={files} />
      {template.variables.map((name) => {
        const field = { name: `variables.${name}`, label: `Value of {{${name}}}` };
        return isOpen(name, pieces, sample) ? (
          <TextField {...field} {...describePlaceholder(template, name)} required />
        ) : (
          <TextField {...field} help="Leave empty to use the contact's value or the fallback." />
        );
      })}
      <TemplatePartFields template={template} files={files} />
      {template.source === "external" && (
        <>
          <BubblePreview template={template} own={sample} files={files} />
          <PreviewButton action={`${at}/preview`} />
        </>
      )}
      <Submit>Send test</Submit>
    </Form>
  );
};

function describeObstacle(template: TemplateRecord, ways: Connection[]): { title: string; text: string } | null {
  const { unsupported } = parseTemplate(template);
  if (template.status === "PENDING")
    return { title: "You can't send it yet", text: "The provider is reviewing it. The status updates automatically." };
  if (template.status !== "APPROVED") return { title: "You can't send it", text: "The provider hasn't approved it." };
  if (unsupported.length > 0) {
    return {
      title: "You can't send it yet",
      text: `It needs ${describeMissing(unsupported)}, which isn't supported here.`,
    };
  }
  if (ways.length > 0) return null;
  return {
    title: "No connection for this template",
    text: "It needs an unofficial connection. Create one, such as a sandbox.",
  };
}

const testBody = testTemplateBody.extend({ connection_id: z.string() });

export const templateDetailPages = workspacePages();

async function templatePage({ ctx, path, refused }: WorkspaceRequest, id: string) {
  const [template, connections, sample] = await Promise.all([
    getTemplate(ctx, id),
    listAllConnections(ctx),
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
  const ways = connections.filter((connection) => fitsConnection(template, connection));
  const obstacle = describeObstacle(template, ways);
  const holder = connections.find((connection) => connection.id === connection_id);
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
            ["Rejection reason", reason],
            ["Quality", quality === null ? null : <TemplateQuality quality={quality} />],
            ["Requires", needs.length === 0 ? null : describeMissing(needs)],
            ["Connection", connection_id === null ? ANY_UNOFFICIAL : (holder?.name ?? "A deleted connection")],
            ["Language", language],
            ["Category", category === null ? null : toLabel(category.toLowerCase())],
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
        ? "The provider also deletes it, and you can no longer send it. Sent messages stay. The provider can block its name for 30 days."
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
