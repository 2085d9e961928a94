import { presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { archiveContact, restoreContact } from "../../../features/contacts/contacts.service.ts";
import type { NamedRecord } from "../../../features/campaigns/find-uses.ts";
import { updateContact } from "../../../features/contacts/upsert/upsert-contacts.ts";
import type { ConversationRecord } from "../../../features/conversations/conversations.schemas.ts";
import { getContactProfile } from "../../../features/profiles/contact-profile.ts";
import { ButtonLink, ConfirmButton, PostButton } from "../../kit/actions.tsx";
import { toLabel } from "../../kit/format.ts";
import { redirectTo, redirectWithUndo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { RecordLinks, showOrLeadOn } from "../../kit/page/record-pages.tsx";
import { Age, Banner, EmptyState, LocalTime, Section } from "../../kit/feedback.tsx";
import { Table } from "../../kit/tables.tsx";
import { useWorkspaceRequest, type WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import {
  contactName,
  conflictingContactId,
  ConflictingContactLink,
  PersonCampaigns,
  PersonDetails,
  PersonFields,
  PersonTags,
} from "./contact-parts.tsx";
import { ConversationStatus, LastMessage } from "../messages/conversation-parts.tsx";
import { usePathTo } from "../../kit/page/optional-link.tsx";

export const contactPages = workspacePages();

const MAX_NAMED = 5;

function NoConversation({ campaigns }: { campaigns: NamedRecord[] }) {
  const at = usePathTo()("/campaigns");
  const names =
    at === null ? campaigns.map(({ name }) => name).join(", ") : <RecordLinks at={at} records={campaigns} />;
  return (
    <EmptyState title="No conversations yet" icon="message-square">
      {campaigns.length === 0 ? (
        "Messages with this contact appear here."
      ) : (
        <>Only campaigns were sent so far: {names}. A conversation starts when they reply or you message them.</>
      )}
    </EmptyState>
  );
}

function Conversations({ rows, campaigns }: { rows: ConversationRecord[]; campaigns: NamedRecord[] }) {
  const { path } = useWorkspaceRequest();
  if (rows.length === 0) return <NoConversation campaigns={campaigns} />;
  return (
    <Table
      caption="Conversations, newest first"
      rows={rows}
      columns={[
        {
          label: "Last message",
          cell: (each) => (
            <a class="cut" href={path(`/inbox/${each.id}`)}>
              <LastMessage of={each} />
            </a>
          ),
        },
        { label: "Channel", cell: ({ channel }) => toLabel(channel) },
        { label: "Status", cell: (each) => <ConversationStatus of={each} /> },
        { label: "Time", cell: ({ last_message_at: at }) => <Age at={at} /> },
      ]}
    />
  );
}

async function contactPage(request: WorkspaceRequest, id: string) {
  const { ctx, path, refused } = request;
  const profile = await getContactProfile(ctx, id);
  const { contact: record, layout, fields, conversations, campaigns } = profile;
  const { revision } = record;
  const contact = presentContact(record, layout);
  const at = (below: string) => path(`/contacts/${id}${below}`);
  return (
    <Page
      title={contactName(contact)}
      actions={
        <>
          <ButtonLink kind="primary" href={at("/edit")}>
            Edit
          </ButtonLink>
          <ButtonLink href={at("/conversation")}>Write</ButtonLink>
          <ButtonLink href={at("/merge")}>Merge</ButtonLink>
          {contact.is_unsubscribed ? (
            <PostButton action={at("/opt-in")} revision={revision}>
              Resubscribe
            </PostButton>
          ) : (
            // This form does not submit a revision, so that a person can be unsubscribed even if somebody else
            // has changed the contact since.
            <ConfirmButton
              id="unsubscribe"
              label="Unsubscribe"
              title={`Unsubscribe ${contactName(contact)}?`}
              action={at("/opt-out")}
              confirm="Unsubscribe"
            >
              This person will receive no more messages, except your replies within 24 hours after they write. You can
              resubscribe them if they ask.
            </ConfirmButton>
          )}
          {contact.is_archived ? (
            <PostButton action={at("/restore")} revision={revision}>
              Restore
            </PostButton>
          ) : (
            <ConfirmButton
              id="archive"
              label="Archive"
              title={`Archive ${contactName(contact)}?`}
              action={at("/archive")}
              confirm="Archive"
              revision={revision}
            >
              The contact is removed from lists, segments and campaigns. You can restore it at any time, and it is
              restored when this person writes to you.
            </ConfirmButton>
          )}
        </>
      }
    >
      {refused !== null && (
        <Banner kind="error">
          {refused.banner ?? refused.faults.map(({ message }) => message).join(" ")}{" "}
          <ConflictingContactLink id={conflictingContactId(request)} />
        </Banner>
      )}
      {contact.is_archived && (
        <Banner kind="note">
          This contact is archived. Restore it to include it in lists, segments and campaigns.
        </Banner>
      )}
      {contact.is_unsubscribed && (
        <Banner kind="warning">Unsubscribed. You can only reply, within 24 hours after they write.</Banner>
      )}
      {contact.marketing_opt_out && (
        <Banner kind="warning">
          Marketing off. This person turned off marketing messages in WhatsApp, so they receive no campaigns or
          marketing templates. They can turn them on in WhatsApp or by writing START.
        </Banner>
      )}
      <Section title="Details">
        <PersonDetails profile={profile} />
        <PersonTags profile={profile} />
      </Section>
      {fields.length > 0 && (
        <Section title="Custom fields">
          <PersonFields profile={profile} />
        </Section>
      )}
      <Section title="Campaigns received">
        <PersonCampaigns profile={profile} />
      </Section>
      <Section title="History">
        <Conversations rows={conversations} campaigns={campaigns.slice(0, MAX_NAMED)} />
        <p class="help">
          Created <LocalTime at={record.created_at} />, last changed <LocalTime at={record.updated_at} />.
        </p>
      </Section>
    </Page>
  );
}

contactPages.get("/contacts/:id", { role: "agent" }, (request, { params: { id } }) =>
  showOrLeadOn(() => contactPage(request, id), {
    id,
    title: "Merged contact",
    text: "Messages, tags and fields moved to the remaining contact.",
    label: "Open remaining contact",
    hrefOf: (into) => request.path(`/contacts/${into}`),
  }),
);

contactPages.post("/contacts/:id/archive", { role: "agent" }, async ({ ctx, path }, { params }) => {
  await archiveContact(ctx, params.id);
  const at = path(`/contacts/${params.id}`);
  return redirectWithUndo(at, "Contact archived.", `${at}/restore`);
});

contactPages.post(
  "/contacts/:id/restore",
  { role: "agent", onInvalid: (request, { id }) => contactPage(request, id) },
  async ({ ctx, path }, { params }) => {
    await restoreContact(ctx, params.id);
    return redirectTo(path(`/contacts/${params.id}`), "Contact restored.");
  },
);

contactPages.post("/contacts/:id/opt-out", { role: "agent" }, async ({ ctx, path }, { params }) => {
  await updateContact(ctx, params.id, { is_unsubscribed: true }, []);
  return redirectTo(path(`/contacts/${params.id}`), "Contact unsubscribed. They receive no more messages.");
});

contactPages.post("/contacts/:id/opt-in", { role: "agent" }, async ({ ctx, path }, { params }) => {
  await updateContact(ctx, params.id, { is_unsubscribed: false }, []);
  return redirectTo(path(`/contacts/${params.id}`), "Contact resubscribed.");
});
