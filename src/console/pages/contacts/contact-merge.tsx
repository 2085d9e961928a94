import * as z from "zod";
import { contactFieldNames, contactFields } from "../../../features/contacts/contact-fields.schemas.ts";
import { type contactView, presentContact } from "../../../features/contacts/contacts.schemas.ts";
import { getContact } from "../../../features/contacts/contacts.service.ts";
import { searchContacts } from "../../../features/contacts/search/search-contacts.ts";
import { mergeContactInto, previewMerge } from "../../../features/people/merge/merge-on-request.ts";
import { boundedText } from "../../../http/fields.ts";
import { AppError } from "../../../shared/errors.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Banner, EmptyState, Facts, LocalTime, Section, type Fact } from "../../kit/feedback.tsx";
import { Form, Submit } from "../../kit/forms/form-fields.tsx";
import { formatCount, formatValue, toLabel } from "../../kit/format.ts";
import { redirectTo, withStatus } from "../../kit/results.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Table } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";
import { contactName } from "./contact-parts.tsx";

export const contactMergePages = workspacePages();

const MAX_FOUND = 20;

type Contact = z.output<typeof contactView>;

const mergeQuery = z.object({ search: boundedText(100).optional(), from: z.string().optional() });

async function findOthers({ ctx }: WorkspaceRequest, id: string, search: string): Promise<Contact[]> {
  const filter = { search, archived: null };
  const { rows, layout } = await searchContacts(ctx, filter, {
    limit: MAX_FOUND,
    offset: 0,
    after: undefined,
    includeTotal: false,
  });
  return rows.filter(({ contact }) => contact.id !== id).map(({ contact }) => presentContact(contact, layout));
}

async function searchPage(request: WorkspaceRequest, id: string, search = "") {
  const { ctx, path } = request;
  const { contact, layout } = await getContact(ctx, id);
  const name = contactName(presentContact(contact, layout));
  const isSuggested = search === "" && contact.name !== null;
  const others = search === "" && !isSuggested ? [] : await findOthers(request, id, isSuggested ? name : search);
  const at = path(`/contacts/${id}/merge`);
  return (
    <Page title={`Merge another contact into ${name}`}>
      <p class="help">Find the contact for the same person. You can review the result before you merge.</p>
      <form method="get" action={at} class="row filters" role="search" aria-label="Other contact">
        <div class="field">
          <label for="merge-search">Name, phone, email or company</label>
          <input
            type="search"
            id="merge-search"
            name="search"
            value={search}
            maxlength={100}
            autocomplete="off"
            required
          />
        </div>
        <button type="submit">Search</button>
      </form>
      {search !== "" && others.length === 0 && (
        <EmptyState title="No other contacts match">Try part of the name or number.</EmptyState>
      )}
      {isSuggested && others.length > 0 && <h2>With the same name</h2>}
      {others.length > 0 && (
        <Table
          caption={isSuggested ? "Contacts with the same name" : "Contacts that match"}
          rows={others}
          columns={[
            { label: "Name", cell: (other) => <a href={path(`/contacts/${other.id}`)}>{contactName(other)}</a> },
            { label: "Phone", cell: ({ phone }) => <span class="whole">{phone ?? "–"}</span> },
            { label: "Email", cell: ({ email }) => email ?? "–" },
          ]}
          buttons={(other) => (
            <ButtonLink href={`${at}?from=${other.id}`}>
              Compare<span class="unseen"> {contactName(other)}</span>
            </ButtonLink>
          )}
        />
      )}
    </Page>
  );
}

const fieldLabel = (name: string): string => toLabel(name.replace(/^custom_fields\./, ""));

const lostAssignees = z.array(z.object({ name: z.string() }));

function lostFact([name, value]: [name: string, value: unknown]) {
  if (name === "snoozed_until") return ["Snoozed until", <LocalTime at={Date.parse(formatValue(value))} />] as const;
  const readable = name === "assignees" ? lostAssignees.parse(value).map((assignee) => assignee.name) : value;
  return [fieldLabel(name), formatValue(readable)] as const;
}

function keptFacts({ tags, custom_fields, ...contact }: Contact) {
  const own = contactFieldNames.map((name) => {
    const { label, kind } = contactFields[name];
    const value = contact[name];
    return [label, kind === "choice" && value !== null ? toLabel(value) : value] as const;
  });
  const custom = Object.entries(custom_fields).map(([key, value]) => [fieldLabel(key), value] as const);
  return [
    ...[...own, ...custom].map(([label, value]): Fact => [label, value === null ? null : formatValue(value)]),
    ["Tags", tags.length === 0 ? "None" : tags.map((tag) => tag.name).join(", ")] satisfies Fact,
  ];
}

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });

type Moved = Awaited<ReturnType<typeof previewMerge>>["extra"]["moved"];

function movedParts({ conversations, messages, tags, fields }: Moved) {
  const counts = [
    [conversations, "conversation"],
    [messages, "message"],
    [tags, "tag"],
    [fields, "field"],
  ] as const;
  return {
    count: conversations + messages + tags + fields,
    parts: counts.filter(([each]) => each > 0).map(([each, word]) => formatCount(each, word)),
  };
}

async function comparePage({ ctx, path }: WorkspaceRequest, id: string, from: string, isChanged = false) {
  // Keep this read before `previewMerge`. If the contact changes between the two, the form contains its old
  // revision, and the merge fails. In the other order, a change that the preview does not show would be merged.
  const other = await getContact(ctx, from);
  const { contact: record, layout, extra } = await previewMerge(ctx, { id, from });
  const contact = presentContact(record, layout);
  const removed = contactName(presentContact(other.contact, other.layout));
  const { moved, dropped } = extra;
  const { count, parts } = movedParts(moved);
  const lost = Object.entries(dropped);
  return (
    <Page title={`Merge ${removed} into ${contactName(contact)}?`}>
      {isChanged && (
        <Banner kind="error">
          One of the contacts changed since you compared them, so nothing was merged. Review the changes, then confirm.
        </Banner>
      )}
      <Banner kind="warning">You can't undo a merge.</Banner>
      <Section title="Kept" help="The contact after the merge.">
        <Facts facts={keptFacts(contact)} />
      </Section>
      <Section title="Moved">
        <p>
          {parts.length === 0
            ? "Nothing."
            : `${listed.format(parts)} of ${removed} ${count === 1 ? "moves" : "move"} to this contact.`}
          {contact.is_unsubscribed && " The contact is unsubscribed, because one of the two was."}
        </p>
      </Section>
      <Section title="Lost">
        {lost.length === 0 ? <p class="help">Nothing.</p> : <Facts facts={lost.map(lostFact)} />}
      </Section>
      <Form action={path(`/contacts/${id}/merge`)} class="actions" revision={record.revision}>
        <input type="hidden" name="from" value={from} />
        <input type="hidden" name="from_revision" value={String(other.contact.revision)} />
        <Submit kind="danger">Merge</Submit>
        <ButtonLink href={path(`/contacts/${from}/merge?from=${id}`)}>Keep the other contact</ButtonLink>
        <ButtonLink href={path(`/contacts/${id}`)}>Cancel</ButtonLink>
      </Form>
    </Page>
  );
}

contactMergePages.get(
  "/contacts/:id/merge",
  { role: "agent", query: mergeQuery },
  (request, { params: { id }, query }) =>
    query.from === undefined ? searchPage(request, id, query.search) : comparePage(request, id, query.from),
);

contactMergePages.post(
  "/contacts/:id/merge",
  { role: "agent", body: z.object({ from: z.string(), from_revision: z.coerce.number().int() }) },
  async (request, { params: { id }, body: { from, from_revision: fromRevision } }) => {
    const { ctx, path } = request;
    try {
      await mergeContactInto(ctx, { id, from, fromRevision });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "precondition_failed") throw error;
      const unconditional = { ...request, ctx: { ...ctx, expectedRevisions: null } };
      return withStatus(412, await comparePage(unconditional, id, from, true));
    }
    return redirectTo(path(`/contacts/${id}`), "Contacts merged.");
  },
);
