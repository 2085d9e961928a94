import type { FC } from "hono/jsx";
import { isPhoneAddress } from "../../../shared/text/phone.ts";
import type { CampaignRecord, RecipientRecord } from "../../../features/campaigns/campaigns.schemas.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Age, Section, StateBadge } from "../../kit/feedback.tsx";
import { Pager, Table } from "../../kit/tables.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { STATE_ORDER, describeReason, type RecipientState, recipientStateLabels } from "./campaign-labels.ts";
import { Tabs } from "../../kit/page/tabs.tsx";

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
