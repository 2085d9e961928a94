import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { PostButton, ButtonLink } from "../../kit/actions.tsx";
import { Avatar, Icon } from "../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../kit/request.ts";
import { inboxPath } from "./list/inbox-query.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import type { ContactProfile } from "../../../features/profiles/contact-profile.ts";
import { Badge, Fold } from "../../kit/feedback.tsx";
import {
  contactName,
  PersonCampaigns,
  PersonConversations,
  PersonDetails,
  PersonFields,
  PersonOptOuts,
  PersonTags,
} from "../contacts/contact-parts.tsx";

const PaneBack: FC<PropsWithChildren<{ href: string }>> = ({ href, children }) => (
  <a class="button quiet icon-only back" href={href}>
    <Icon name="chevron-left" />
    <span class="unseen">{children}</span>
  </a>
);

/** CSS shows the link to the person's page on a narrow screen, and the button that hides the pane on a wide one. */
const PersonToggle: FC<{ conversationId: string }> = ({ conversationId }) => {
  const request = useWorkspaceRequest();
  const isFolded = request.personPane === "folded";
  return (
    <>
      <a class="button quiet icon-only to-person" href={inboxPath(request, `${conversationId}/person`)}>
        <Icon name="user-round" />
        <span class="unseen">Person</span>
      </a>
      <span class="fold-person">
        <PostButton
          action="/console/person-pane"
          fields={{ pane: isFolded ? "shown" : "folded" }}
          kind="quiet"
          shortcut="p"
        >
          <Icon name="panel-right" />
          <span class="unseen">{isFolded ? "Show contact details" : "Hide contact details"}</span>
        </PostButton>
      </span>
    </>
  );
};

export const ThreadHead: FC<{
  conversationId: string;
  title: string;
  heading: "h1" | "h2";
  about: string;
  marks: Child;
  acts: Child;
}> = ({ conversationId, title, heading: Heading, about, marks, acts }) => (
  <div class="pane-head">
    <PaneBack href={inboxPath(useWorkspaceRequest(), null)}>Inbox</PaneBack>
    <Avatar name={title} />
    <div class="pane-title">
      <Heading dir="auto">{title}</Heading>
    </div>
    <div class="actions" id="thread-acts">
      {acts}
    </div>
    <PersonToggle conversationId={conversationId} />
    <div class="thread-about">
      <p class="help">{about}</p>
      <p class="help presence" data-conversation={conversationId} role="status"></p>
      <p class="row-marks" id="thread-marks">
        {marks}
      </p>
    </div>
  </div>
);

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
