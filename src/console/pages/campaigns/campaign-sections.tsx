import type { FC } from "hono/jsx";
import type { TemplateHeader } from "../../../channels/templates/channel-templates.ts";
import { readComponents, type TemplateButtonPart } from "../../../channels/templates/components.ts";
import type { CampaignRecord, RecipientRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import type { SentHeader } from "../../../features/templates/model/sent-parts.schemas.ts";
import type { TemplateValues } from "../../../features/templates/model/read-values.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import { Facts, Age, Section, StateBadge } from "../../kit/feedback.tsx";
import { formatCount, formatNumber, toLabel } from "../../kit/format.ts";
import type { FilesById } from "../messages/message-files.tsx";
import { PhoneBubble, buttonText } from "../messages/phone-bubble.tsx";
import { TemplateBubble } from "../messages/template/template-bubble.tsx";
import { valueFields } from "../messages/template/template-fields.tsx";
import { isPhoneAddress } from "../../../shared/text/phone.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { STATE_ORDER, describeReason, type RecipientState, recipientStateLabels } from "./campaign-labels.ts";
import { Tabs } from "../../kit/page/tabs.tsx";

interface SentProps {
  template: TemplateRecord;
  values: TemplateValues;
  files: FilesById;
}

export const SentBubble: FC<SentProps> = ({ template, values, files }) => (
  <TemplateBubble
    template={template}
    values={new Map(valueFields(values).map(([name, text]) => [name, [text]]))}
    files={{ chosen: files }}
  />
);

export const GivenHeaders: FC<Pick<SentProps, "values" | "files">> = ({ values: { header, cards = [] }, files }) => {
  const given = (sent: SentHeader | undefined): TemplateHeader | null => {
    if (sent?.location !== undefined) return { type: "location", ...sent.location };
    if (sent?.media_id === undefined) return null;
    const { mime_type: mimeType = null } = files.get(sent.media_id) ?? {};
    const type = /^(image|video)\//.exec(mimeType ?? "")?.[1];
    return { type: type === "image" || type === "video" ? type : "document", media_id: sent.media_id };
  };
  const headers = [header, ...cards.map((card) => card.header)].map(given);
  const [first = null, ...ofCards] = headers;
  if (headers.every((each) => each === null)) return null;
  return (
    <PhoneBubble
      header={null}
      given={first}
      buttons={[]}
      cards={ofCards.map((each) => ({ header: null, body: null, buttons: [], given: each }))}
      files={files}
    />
  );
};

const factsOf = (at: string, buttons: readonly TemplateButtonPart[], sent: TemplateValues["buttons"] = []) =>
  sent.map(({ index, value }): [string, string] => {
    const button = buttons[index];
    return [`${at}${button === undefined ? `Button ${index + 1}` : `Button “${buttonText(button)}”`}`, value];
  });

export function describeButtons(components: readonly unknown[], { buttons, cards = [] }: TemplateValues) {
  const parts = readComponents(components);
  return [
    ...factsOf("", parts.buttons, buttons),
    ...cards.flatMap((card, position) =>
      factsOf(`Card ${position + 1}: `, parts.cards[position]?.buttons ?? [], card.buttons),
    ),
  ];
}

export const CampaignCost: FC<{ cost: CampaignRecord["cost"] }> = ({ cost }) => {
  const categories = Object.entries(cost);
  return categories.length === 0 ? (
    <p class="help">Nothing reported yet.</p>
  ) : (
    <Facts
      facts={categories.map(([category, { billable, free }]) => [
        toLabel(category.toLowerCase()),
        `${formatCount(billable, "billed message")}, ${formatNumber(free)} free`,
      ])}
    />
  );
};

interface RecipientsProps {
  here: string;
  state: RecipientState | undefined;
  campaign: Pick<CampaignRecord, "status" | "audience_ready_at" | "started_at">;
  recipients: RecipientRecord[];
  conversations: ReadonlyMap<string, string>;
  next: string | null;
}

const Filter: FC<Pick<RecipientsProps, "here" | "state">> = ({ here, state }) => (
  <Tabs
    label="Recipients by state"
    tabs={[
      { label: "All", href: `${here}#recipients`, isCurrent: state === undefined },
      ...STATE_ORDER.map((each) => ({
        label: recipientStateLabels[each].label,
        href: `${here}?state=${each}#recipients`,
        isCurrent: state === each,
      })),
    ]}
  />
);

function nobodyInWords({ state, campaign: { status, audience_ready_at }, next }: RecipientsProps): string {
  if (next !== null) return "No matches on this page. Check the next page.";
  if (status === "cancelled" && audience_ready_at === null)
    return "The campaign was cancelled before its recipients were selected.";
  if (state !== undefined) return `No recipients with the state “${recipientStateLabels[state].label.toLowerCase()}”.`;
  if (status === "draft" || status === "scheduled") return "Recipients appear when the campaign starts.";
  if (status === "failed") return "The campaign didn't start, so it has no recipients.";
  return status === "running" ? "Finding recipients …" : "No recipients.";
}

const RecipientTable: FC<Pick<RecipientsProps, "recipients" | "conversations">> = ({ recipients, conversations }) => {
  const { path } = useWorkspaceRequest();
  return (
    <Table
      caption="Recipients"
      rows={recipients}
      columns={[
        {
          label: "Person",
          cell: ({ contact_id, message_id, name, address }) => (
            <>
              {isPhoneAddress(address) && name !== null && <strong>{name} </strong>}
              <a href={path(`/contacts/${contact_id}`)} id={`contact-${message_id}`}>
                {isPhoneAddress(address) ? address : (name ?? address)}
              </a>
            </>
          ),
        },
        {
          label: "State",
          cell: ({ state, reason }) => (
            <>
              <StateBadge state={recipientStateLabels[state]} />{" "}
              {reason !== null && <span>{describeReason(reason)}</span>}
            </>
          ),
        },
        { label: "Updated", cell: ({ updated_at }) => <Age at={updated_at} /> },
        {
          label: "Conversation",
          cell: ({ message_id }) => {
            const conversation = conversations.get(message_id);
            return conversation === undefined ? (
              <span class="help">none yet</span>
            ) : (
              <a href={path(`/inbox/${conversation}`)} id={`thread-${message_id}`}>
                Open
              </a>
            );
          },
        },
      ]}
    />
  );
};

export const RecipientList: FC<RecipientsProps> = (props) => (
  <Section
    title="Recipients"
    id="recipients"
    actions={
      props.recipients.length > 0 && (
        <ButtonLink href={`${props.here}/recipients.csv${props.state === undefined ? "" : `?state=${props.state}`}`}>
          Download CSV
        </ButtonLink>
      )
    }
  >
    {props.campaign.started_at !== null && <Filter {...props} />}
    {props.recipients.length === 0 ? <p class="help">{nobodyInWords(props)}</p> : <RecipientTable {...props} />}
    <Pager next={props.next} />
  </Section>
);
