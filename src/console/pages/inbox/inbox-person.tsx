import type { FC } from "hono/jsx";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import type { ContactProfile } from "../../../features/profiles/contact-profile.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { Avatar } from "../../kit/icon.tsx";
import { Badge, Fold } from "../../kit/feedback.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { contactName } from "../contacts/contact-parts.tsx";
import {
  PersonCampaigns,
  PersonConversations,
  PersonDetails,
  PersonFields,
  PersonOptOuts,
  PersonTags,
} from "../contacts/person-parts.tsx";
import { PaneBack } from "./inbox-panes.tsx";
import { inboxPath } from "./list/inbox-query.ts";

interface PersonPaneProps {
  profile: ContactProfile;
  members: readonly MemberRecord[];
  conversationId: string;
  heading: "h1" | "h2";
}

export const PersonPane: FC<PersonPaneProps> = ({ profile, members, conversationId, heading: Heading }) => {
  const request = useWorkspaceRequest();
  const { contact, fields, campaigns, conversations } = profile;
  const at = request.path(`/contacts/${contact.id}`);
  const name = contactName(contact);
  return (
    <section class="pane person-pane" id="person-pane" aria-label="Person" data-changes-with={contact.id}>
      <div class="pane-head">
        <PaneBack href={inboxPath(request, conversationId)}>Conversation</PaneBack>
        <Avatar name={name} size="large" />
        <div class="pane-title">
          <Heading dir="auto">
            <a href={at}>{name}</a>
          </Heading>
          {contact.is_archived === 1 && <Badge>Archived</Badge>}
        </div>
        <ButtonLink href={`${at}/edit`}>Edit</ButtonLink>
      </div>
      <Fold id="person-details" title="Details">
        <PersonDetails profile={profile} />
      </Fold>
      <Fold id="person-tags" title="Tags">
        <PersonTags profile={profile} />
      </Fold>
      {fields.length > 0 && (
        <Fold id="person-fields" title="Custom fields">
          <PersonFields profile={profile} />
        </Fold>
      )}
      <Fold id="person-opt-outs" title="Opt-outs">
        <PersonOptOuts profile={profile} />
      </Fold>
      <Fold id="person-campaigns" title="Campaigns received" count={campaigns.length}>
        <PersonCampaigns profile={profile} />
      </Fold>
      <Fold id="person-conversations" title="Other conversations" count={conversations.length - 1}>
        <PersonConversations profile={profile} members={members} except={conversationId} />
      </Fold>
    </section>
  );
};
