import * as z from "zod";
import { type Connection, listConnections } from "../../../features/connections/connections.service.ts";
import { findUsesOfTemplate } from "../../../features/campaigns/find-uses.ts";
import { testTemplateBody } from "../../../features/messages/messages.schemas.ts";
import { sendTemplate } from "../../../features/messages/send/send-template.ts";
import { describeMissing, missingParts } from "../../../features/templates/templates.parts.ts";
import { partsOf } from "../../../features/templates/templates.filling.ts";
import { fitsConnection } from "../../../features/templates/templates.fitting.ts";
import type { Parts } from "../../../features/templates/templates.render.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { deleteTemplate, getTemplate } from "../../../features/templates/templates.service.ts";
import { sendingThrough } from "../../../shared/context.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { toLabel } from "../../kit/format.ts";
import { redirectTo, showPage } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { RecordLinks, showDeletionPage } from "../../kit/deletion-page.tsx";
import { EmptyState, Facts, Section, LocalTime } from "../../kit/feedback.tsx";
import { Form, SelectField, Submit, TextField } from "../../kit/form-fields.tsx";
import { type FormState, unsentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { usesContactName } from "../campaigns/campaign-variables.tsx";
import { providerNames } from "../connections/providers.tsx";
import { TemplateApproval } from "./templates.tsx";
import { FilledText, NAME_IN_CAMPAIGNS, loadSampleValues } from "./templates-preview.tsx";

export const templateDetailPages = workspacePages();

/** The connections that can send a template. */
const fittingConnections = (template: TemplateRecord, connections: Connection[]): Connection[] =>
  connections.filter((connection) => fitsConnection(template, connection));

type Sample = Awaited<ReturnType<typeof loadSampleValues>>;

interface TestProps {
  action: string;
  template: TemplateRecord;
  sample: Sample;
  ways: Connection[];
  state: FormState;
}

/** True where only the sender can give the value of a variable. */
const isOpen = (name: string, parts: Parts, sample: Sample): boolean =>
  !sample.has(name) && !parts.some((part) => typeof part !== "string" && part.name === name && part.fallback !== null);

function TestForm({ action, template, sample, ways, state }: TestProps) {
  const parts = partsOf(template);
  return (
    <Form action={action} state={state} class="narrow">
      <SelectField
        name="connection_id"
        label="Through"
        options={ways.map(({ id, name, provider }) => ({ value: id, label: `${name} (${providerNames[provider]})` }))}
        value={ways.find(({ isDefault }) => isDefault)?.id}
        required
        state={state}
      />
      <TextField
        name="to"
        label="To"
        type="tel"
        help="A phone number with the country's code, like +14155550100."
        required
        state={state}
      />
      {usesContactName(template) && <p class="help">{NAME_IN_CAMPAIGNS}</p>}
      {template.variables.map((name) => {
        const field = { name: `variables.${name}`, label: `Value of {{${name}}}`, state };
        return isOpen(name, parts, sample) ? (
          <TextField {...field} required />
        ) : (
          <TextField {...field} help="Empty: the contact's own, or else the fallback." />
        );
      })}
      <Submit>Send the test</Submit>
    </Form>
  );
}

/** The reason why a template cannot be sent now, or null. */
function describeObstacle(template: TemplateRecord, ways: Connection[]): { title: string; text: string } | null {
  const missing = missingParts(template);
  if (template.status !== "APPROVED") {
    return {
      title: "It cannot be sent yet",
      text: "The provider has not approved it. Once it has, sync the connection.",
    };
  }
  if (missing.length > 0) {
    return {
      title: "It cannot be sent yet",
      text: `It needs ${describeMissing(missing)}, and templates can only be filled with text so far.`,
    };
  }
  if (ways.length > 0) return null;
  return {
    title: "No connection sends it",
    text: "Templates written here go through unofficial connections. Create one, such as a sandbox.",
  };
}

async function templatePage({ ctx, path }: WorkspaceRequest, id: string, state: FormState = unsentForm) {
  const [template, connections, sample] = await Promise.all([
    getTemplate(ctx, id),
    listConnections(ctx, 100, undefined),
    loadSampleValues(ctx),
  ]);
  const { name, source, language, category, connection_id, updated_at } = template;
  const missing = missingParts(template);
  const at = path(`/templates/${id}`);
  const ways = fittingConnections(template, connections);
  const obstacle = describeObstacle(template, ways);
  const holder = connections.find((connection) => connection.id === connection_id);
  const held =
    connection_id === null
      ? "Written here"
      : `Held by the provider of ${holder?.name ?? "a connection"}: change it there, then sync`;
  return showPage({
    title: name,
    actions: source === "local" && (
      <>
        <ButtonLink href={`${at}/edit`}>Edit</ButtonLink>
        <ButtonLink href={`${at}/delete`}>Delete</ButtonLink>
      </>
    ),
    body: (
      <>
        <FilledText parts={partsOf(template)} sample={sample} />
        <Facts
          facts={[
            ["Status", <TemplateApproval template={template} />],
            ...(missing.length === 0 ? [] : [["Needs", describeMissing(missing)] as const]),
            ["Source", held],
            ...(language === null ? [] : [["Language", language] as const]),
            ...(category === null ? [] : [["Category", toLabel(category.toLowerCase())] as const]),
            ["Changed", <LocalTime at={updated_at} />],
          ]}
        />
        <Section title="Send a test" help="One real message, to one number.">
          {obstacle === null ? (
            <TestForm action={`${at}/send`} template={template} sample={sample} ways={ways} state={state} />
          ) : (
            <EmptyState
              title={obstacle.title}
              action={<a href={path("/settings/connections")}>Go to the connections</a>}
            >
              {obstacle.text}
            </EmptyState>
          )}
        </Section>
      </>
    ),
  });
}

const testBody = testTemplateBody.extend({ connection_id: z.string() });

templateDetailPages.get("/templates/:id", {}, (request, { params }) => templatePage(request, params.id));

templateDetailPages.post(
  "/templates/:id/send",
  { body: testBody, onInvalid: (request, { id }, form) => templatePage(request, id, form) },
  async ({ ctx, path }, { params: { id }, body: { connection_id: connectionId, ...order } }) => {
    await sendTemplate(sendingThrough(ctx, connectionId), id, { to: order.to }, order);
    return redirectTo(
      path(`/templates/${id}`),
      `The test to ${order.to} is on its way. The inbox shows what becomes of it.`,
    );
  },
);

templateDetailPages.get("/templates/:id/delete", {}, async (request, { params: { id } }) => {
  const { name, campaigns } = await findUsesOfTemplate(request.ctx, id);
  const back = request.path(`/templates/${id}`);
  const use = (
    <>
      Unfinished campaigns send it; cancel them first:{" "}
      <RecordLinks at={request.path("/campaigns")} records={campaigns} />.
    </>
  );
  return showDeletionPage({
    title: `Delete ${name}?`,
    action: `${back}/delete`,
    back,
    consequence: "It can no longer be sent. Messages that were sent with it stay.",
    uses: campaigns.length === 0 ? [] : [use],
    confirm: "Delete template",
    allowed: campaigns.length === 0,
  });
});

templateDetailPages.post("/templates/:id/delete", {}, async ({ ctx, path }, { params }) => {
  const { name } = await deleteTemplate(ctx, params.id);
  return redirectTo(path("/templates"), `${name} has been deleted.`);
});
