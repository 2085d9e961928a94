import type { FC } from "hono/jsx";
import * as z from "zod";
import type { contactView } from "../../../features/contacts/contacts.schemas.ts";
import { Badge, type Tone } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";
import { type PageRequest, useWorkspaceRequest } from "../../kit/request.ts";

export type ContactView = z.output<typeof contactView>;

const tones: Record<string, Tone> = { hot: "bad", warm: "warning", active: "good", cold: "info" };

export const ContactStatusBadge: FC<{ status: string }> = ({ status }) => (
  <Badge tone={tones[status] ?? "plain"}>{toLabel(status)}</Badge>
);

export const TagChip: FC<{ tag: { name: string; color: string } }> = ({ tag: { name, color } }) => (
  <span class="chip">
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
    <span>{name}</span>
  </span>
);

/** More tags would make the row too tall. */
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

/** The form of the selection, next to the list: cells contain their own forms. */
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

/** The contact with the phone or email of a rejected form, or undefined. */
export const conflictingContactId = ({ refused }: PageRequest): string | undefined =>
  conflictDetails.safeParse(refused?.details).data?.contact_id;

export const ConflictingContactLink: FC<{ id: string | undefined }> = ({ id }) =>
  id === undefined ? null : <a href={useWorkspaceRequest().path(`/contacts/${id}`)}>Show existing contact</a>;
