import type { FC } from "hono/jsx";
import type { Preview } from "../../../../features/campaigns/start/preview-campaign.ts";
import type { AudienceDescription } from "../../../../features/campaigns/edit/stored-request.ts";

import type { Connection } from "../../../../features/connections/connections.schemas.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { ButtonLink } from "../../../kit/actions.tsx";
import { Banner, EmptyState, Facts, Section } from "../../../kit/feedback.tsx";
import { formatCount, formatNumber } from "../../../kit/format.ts";
import { Form, Submit } from "../../../kit/forms/form-fields.tsx";
import { Table } from "../../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import type { FilesById } from "../../messages/message-files.tsx";
import { TemplateBubble } from "../../messages/template/template-bubble.tsx";
import { valueFields } from "../../messages/template/template-fields.tsx";
import { toFormFields, type CampaignFormInput } from "./campaign-form-input.ts";
import { ZonedTime } from "../campaign-state.tsx";
import { describeVariables } from "./campaign-form-fields.tsx";
import { describeAudience, describeReason } from "../campaign-labels.ts";
import { HiddenFields } from "../../../kit/forms/hidden-fields.tsx";

interface PreviewProps {
  order: CampaignFormInput;
  template: TemplateRecord;
  files: FilesById;
  preview: Preview;
  audience: AudienceDescription;
  own: ReadonlySet<string>;
  connection: Connection | null;
  changed: string | null;
  draftId?: string;
}

const people = (count: number) => formatCount(count, "person", "people");

const Excluded: FC<{ excluded: Preview["excluded"] }> = ({ excluded }) => {
  const rows = Object.entries(excluded).filter(([, count]) => count > 0);
  return rows.length === 0 ? (
    <p>No matching contacts are excluded.</p>
  ) : (
    <Table
      caption="Matching contacts left out, by reason"
      rows={rows}
      columns={[
        { label: "Reason", cell: ([reason]) => describeReason(reason) },
        { label: "Contacts", align: "end", cell: ([, count]) => formatNumber(count) },
      ]}
    />
  );
};

const Samples: FC<Pick<PreviewProps, "order" | "template" | "files" | "preview">> = ({
  order,
  template,
  files,
  preview: { samples, names, reachable },
}) => {
  const { path } = useWorkspaceRequest();
  const values = new Map(valueFields(order).map(([name, text]) => [name, [text]]));
  if (samples.length === 0) {
    return reachable === 0 ? null : (
      <Banner kind="warning">
        None of the first contacts has a value for every variable, so they would be skipped. Enter a text, or use a
        fallback like {"{{first_name|there}}"}.
      </Banner>
    );
  }
  return (
    <ul class="samples">
      {samples.map(({ contact_id, body }) => (
        <li>
          <a href={path(`/contacts/${contact_id}`)}>{names.get(contact_id)}</a>
          <TemplateBubble template={template} values={values} files={{ chosen: files }} text={body} />
        </li>
      ))}
    </ul>
  );
};

const Start: FC<PreviewProps> = ({ order, preview: { reachable, fingerprint }, draftId }) => {
  const { path } = useWorkspaceRequest();
  const draft = draftId === undefined ? null : path(`/campaigns/${draftId}`);
  const [what, note] =
    order.scheduled_at === undefined
      ? [
          `Send to ${people(reachable)}`,
          "Sending starts immediately. Contacts who unsubscribe before their turn are left out.",
        ]
      : [`Schedule for ${people(reachable)}`, "The audience is updated at the start, so the number can change."];
  return (
    <div class="confirm">
      {reachable > 0 && (
        <Form action={draft === null ? path(`/campaigns/start`) : `${draft}/start`}>
          {draft === null && <HiddenFields fields={toFormFields(order)} />}
          <input type="hidden" name="recipients" value={String(reachable)} />
          <input type="hidden" name="fingerprint" value={fingerprint} />
          <Submit>{what}</Submit>
        </Form>
      )}
      {draft === null ? (
        <Form action={path(`/campaigns/new`)}>
          <HiddenFields fields={toFormFields(order)} />
          <Submit kind={reachable > 0 ? "plain" : "primary"}>Edit</Submit>
        </Form>
      ) : (
        <ButtonLink href={`${draft}/edit`}>Edit</ButtonLink>
      )}
      {reachable > 0 && <p class="help">{note}</p>}
    </div>
  );
};

export const CampaignPreview: FC<PreviewProps> = (props) => {
  const { order, template, preview, audience, own, connection, changed } = props;
  const { scheduled_at, send_before } = order;
  const { reachable, excluded, samples } = preview;
  const variables = describeVariables({ template, own, given: order.variables });
  return (
    <>
      {changed !== null && <Banner kind="error">{changed} Nothing was sent. Review the changes, then confirm.</Banner>}
      {reachable === 0 ? (
        <EmptyState title="No reachable contacts">
          No matching contact can receive messages. Remove conditions, or add contacts.
        </EmptyState>
      ) : (
        <p class="reach">
          <strong>{formatNumber(reachable)}</strong> {reachable === 1 ? "person" : "people"} will get this. Nothing has
          been sent yet.
        </p>
      )}
      <Start {...props} />
      <Facts
        facts={[
          ["Audience", describeAudience(audience)],
          ["Template", template.name],
          ["Sent through", connection?.name ?? `the default ${order.channel} connection`],
          ["Starts", scheduled_at === undefined ? "after you confirm" : <ZonedTime at={Date.parse(scheduled_at)} />],
          ["Stops at", send_before === undefined ? null : <ZonedTime at={Date.parse(send_before)} />],
        ]}
      />
      <Section
        title="Message preview"
        help={samples.length > 1 ? `The first ${samples.length} recipients.` : undefined}
      >
        {variables.length > 0 && <Facts facts={variables} />}
        <Samples {...props} />
      </Section>
      <Section title="Left out">
        <Excluded excluded={excluded} />
      </Section>
    </>
  );
};
