import * as z from "zod";
import type { FC, Child } from "hono/jsx";
import { type contactView, presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { Badge, type Tone, Age, Day, Facts, LocalTime, type Fact, StateBadge } from "../../kit/feedback.tsx";
import { toLabel, formatUsername, formatValue } from "../../kit/format.ts";
import { type PageRequest, useWorkspaceRequest } from "../../kit/request.ts";
import type { ContactProfile } from "../../../features/profiles/contact-profile.ts";
import {
  type ContactField,
  contactFieldNames,
  contactFields,
} from "../../../features/contacts/contact-fields.schemas.ts";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { recipientStateLabels } from "../campaigns/campaign-labels.ts";
import { countryName } from "./contact-fields.tsx";
import { ConversationStatus, LastMessage } from "../messages/conversation-parts.tsx";
import { usePathTo, OptionalLink } from "../../kit/page/optional-link.tsx";

export type ContactView = z.output<typeof contactView>;

const tones: Record<string, Tone> = { hot: "bad", warm: "warning", active: "good", cold: "info" };

export const ContactStatusBadge: FC<{ status: string }> = ({ status }) => (
  <Badge tone={tones[status] ?? "plain"}>{toLabel(status)}</Badge>
);

const TagChip: FC<{ tag: { name: string; color: string } }> = ({ tag: { name, color } }) => (
  <span class="chip">
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
    <span>{name}</span>
  </span>
);

const MAX_TAGS_IN_ROW = 3;

export const TagList: FC<{ contact: ContactView }> = ({ contact: { id, tags } }) => {
  const others = tags.slice(MAX_TAGS_IN_ROW);
  return (
    <>
      {tags.slice(0, MAX_TAGS_IN_ROW).map((tag) => (
        <TagChip tag={tag} />
      ))}
      {others.length > 0 && (
        <details class="more-tags" id={`tags-${id}`}>
          <summary title={others.map(({ name }) => name).join(", ")}>
            +{others.length}
            <span class="unseen"> more tags</span>
          </summary>
          {others.map((tag) => (
            <TagChip tag={tag} />
          ))}
        </details>
      )}
    </>
  );
};

export const contactName = ({ name, phone, email }: Pick<ContactView, "name" | "phone" | "email">): string =>
  name ?? phone ?? email ?? "Unnamed contact";

export const ContactLink: FC<{ contact: ContactView }> = ({ contact }) => (
  <>
    <a href={useWorkspaceRequest().path(`/contacts/${contact.id}`)} dir="auto">
      {contactName(contact)}
    </a>{" "}
    {contact.is_unsubscribed && <Badge tone="warning">Unsubscribed</Badge>}
    {contact.marketing_opt_out && !contact.is_unsubscribed && <Badge tone="warning">Marketing off</Badge>}
  </>
);

/**
 * The id of the form for bulk edits. The form cannot contain the list: cells contain forms, and forms cannot be
 * nested. The check boxes name it by this id instead.
 */
export const BULK_FORM = "bulk";

export const ContactTick: FC<{ contact: ContactView }> = ({ contact }) => (
  <input
    type="checkbox"
    class="tick"
    form={BULK_FORM}
    name="ids"
    value={contact.id}
    aria-label={`Select ${contactName(contact)}`}
  />
);

const conflictDetails = z.object({ contact_id: z.string() });

export const conflictingContactId = ({ refused }: PageRequest): string | undefined =>
  conflictDetails.safeParse(refused?.details).data?.contact_id;

export const ConflictingContactLink: FC<{ id: string | undefined }> = ({ id }) =>
  id === undefined ? null : <a href={useWorkspaceRequest().path(`/contacts/${id}`)}>Show existing contact</a>;

interface PersonProps {
  profile: ContactProfile;
}

export const PersonDetails: FC<PersonProps> = ({ profile: { contact, layout } }) => {
  const presented = presentContact(contact, layout);
  const others: Partial<Record<ContactField, Child>> = {
    phone: presented.phone ?? "No phone number",
    status: <ContactStatusBadge status={presented.status} />,
    lifecycle_stage: toLabel(presented.lifecycle_stage),
  };
  const own = contactFieldNames.filter((name) => name !== "name");
  return (
    <Facts
      facts={[
        ...own.map((name): Fact => [contactFields[name].label, others[name] ?? presented[name]]),
        ...presented.external_ids.map(({ provider, id, username }): Fact => [
          `ID at ${provider}`,
          username === null ? id : `${formatUsername(username)} (${id})`,
        ]),
      ]}
    />
  );
};

export const PersonTags: FC<PersonProps> = ({ profile: { contact } }) =>
  contact.tags.length === 0 ? (
    <p class="help">No tags.</p>
  ) : (
    <p>
      {contact.tags.map((tag) => (
        <TagChip tag={tag} />
      ))}
    </p>
  );

export const Unset: FC = () => <span class="dim none">–</span>;

export const FieldValue: FC<{ field: CustomFieldRecord; value: unknown }> = ({ field, value }) => {
  if (value === null || value === undefined) return <Unset />;
  const text = formatValue(value);
  switch (field.type) {
    case "boolean":
      return <>{value === true ? "Yes" : "No"}</>;
    case "multi_select":
      return (
        <>{Array.isArray(value) ? value.map((option) => <span class="chip">{formatValue(option)}</span>) : text}</>
      );
    case "date":
      return <Day date={text} />;
    case "datetime":
      return <LocalTime at={Date.parse(text)} />;
    case "country":
      return <>{countryName(text)}</>;
    case "url":
      return (
        <a href={text} rel="noreferrer noopener">
          {text}
        </a>
      );
    case "email":
      return <a href={`mailto:${text}`}>{text}</a>;
    case "phone":
    case "text":
    case "number":
    case "select":
      return <span class="as-typed">{text}</span>;
  }
};

export const PersonFields: FC<PersonProps> = ({ profile: { contact, layout, fields } }) => {
  const { custom_fields } = presentContact(contact, layout);
  return (
    <Facts
      facts={fields.map((field) => [field.label, <FieldValue field={field} value={custom_fields[field.field_key]} />])}
    />
  );
};

export const PersonOptOuts: FC<PersonProps> = ({ profile: { contact } }) => {
  if (contact.is_unsubscribed === 1)
    return (
      <p>
        <Badge tone="warning">Unsubscribed</Badge> You can only reply, within 24 hours after they write.
      </p>
    );
  if (contact.marketing_opt_out === 1)
    return (
      <p>
        <Badge tone="warning">Marketing off</Badge> They turned off marketing messages in WhatsApp and receive no
        campaigns or marketing templates.
      </p>
    );
  return <p class="help">Receives messages and campaigns.</p>;
};

export const PersonCampaigns: FC<PersonProps> = ({ profile: { campaigns } }) => {
  const address = usePathTo();
  if (campaigns.length === 0) return <p class="help">None of the latest messages came from a campaign.</p>;
  return (
    <ul class="rows">
      {campaigns.map(({ id, name, state, at }) => (
        <li>
          <span>
            <OptionalLink to={address("/campaigns", `/${id}`)}>{name}</OptionalLink>
          </span>
          <StateBadge state={recipientStateLabels[state]} />
          <span class="help">
            <Age at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
};

export const PersonConversations: FC<PersonProps & { except?: string; members?: readonly MemberRecord[] }> = ({
  profile,
  except,
  members,
}) => {
  const { path } = useWorkspaceRequest();
  const names = new Map(profile.connections.map(({ id, name }) => [id, name]));
  const rows = profile.conversations.filter(({ id }) => id !== except);
  if (rows.length === 0) return <p class="help">No other conversations.</p>;
  return (
    <ul class="rows">
      {rows.map((each) => (
        <li>
          <a class="cut" href={path(`/inbox/${each.id}`)}>
            <LastMessage of={each} members={members} />
          </a>
          <ConversationStatus of={each} />
          <span class="help">
            {names.get(each.connection_id) ?? "A deleted connection"}, <Age at={each.last_message_at} />
          </span>
        </li>
      ))}
    </ul>
  );
};
