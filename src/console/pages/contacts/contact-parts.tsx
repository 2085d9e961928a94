// What several pages show of contacts.
import type { FC } from "hono/jsx";
import * as z from "zod";
import type { contactView } from "../../../features/contacts/contacts.schemas.ts";
import { Badge, type Tone } from "../../kit/feedback.tsx";
import type { FormState } from "../../kit/forms.ts";
import type { Column } from "../../kit/tables.tsx";
import { useWorkspace } from "../../kit/visit.ts";

type Contact = z.output<typeof contactView>;

/** `lifecycle_stage` as people read it: `Lifecycle stage`. */
export const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** A custom field's value as text; lists by commas, nothing where it is unset. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Options of a select, from what the API takes. */
export const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: labelOf(value) }));

const tones: Record<string, Tone> = { hot: "bad", warm: "warning", active: "good", cold: "info" };

export const StatusBadge: FC<{ status: string }> = ({ status }) => (
  <Badge tone={tones[status] ?? "plain"}>{labelOf(status)}</Badge>
);

/** A tag with a spot of its colour. */
export const TagChip: FC<{ tag: { name: string; color: string } }> = ({ tag: { name, color } }) => (
  <span class="chip">
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
    {name}
  </span>
);

/** What a contact is called where it must be called something. */
export const calledName = ({ name, phone, email }: Pick<Contact, "name" | "phone" | "email">): string =>
  name ?? phone ?? email ?? "Unnamed contact";

const ContactLink: FC<{ contact: Contact }> = ({ contact }) => (
  <>
    <a href={useWorkspace().path(`/contacts/${contact.id}`)}>{calledName(contact)}</a>{" "}
    {contact.is_unsubscribed && <Badge tone="warning">Unsubscribed</Badge>}
    {contact.marketing_opt_out && !contact.is_unsubscribed && <Badge tone="warning">Marketing off</Badge>}
  </>
);

/** What lists of contacts show of each. */
export const contactColumns: readonly Column<Contact>[] = [
  { label: "Name", cell: (contact) => <ContactLink contact={contact} /> },
  { label: "Phone", cell: ({ phone }) => <span class="whole">{phone ?? "–"}</span> },
  { label: "Email", cell: ({ email }) => email ?? "–" },
  { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    label: "Tags",
    cell: ({ tags }) => (tags.length === 0 ? "–" : tags.map((tag) => <TagChip tag={tag} />)),
  },
];

const holder = z.object({ contact_id: z.string() });

/** Who has the phone or email that a refused form wanted, or undefined. */
export const holderOf = ({ details }: FormState): string | undefined => holder.safeParse(details).data?.contact_id;

export const HolderLink: FC<{ id: string | undefined }> = ({ id }) =>
  id === undefined ? null : <a href={useWorkspace().path(`/contacts/${id}`)}>Show that contact</a>;
