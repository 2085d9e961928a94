import * as z from "zod";
import { findRecords } from "../../../features/profiles/find-records.ts";
import { boundedText } from "../../../http/fields.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState, Section } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";
import { Icon, type IconName } from "../../kit/icon.tsx";
import { isIn } from "../../kit/page/navigation.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { sendJson } from "../../kit/results.ts";
import { Page } from "../../kit/page/page.tsx";
import { contactName } from "../contacts/contact-parts.tsx";

export const searchPages = workspacePages();

const searchQuery = z.object({ q: boundedText(100).optional() });

interface Found {
  title: string;
  icon: IconName;
  items: { title: string; detail: string; href: string }[];
}

async function search(request: WorkspaceRequest, term: string): Promise<Found[]> {
  const { ctx, path, mainNavigation, settingsNavigation, furtherPages } = request;
  const { contacts, campaigns } = await findRecords(ctx, term);
  const people = contacts.map((contact) => ({
    title: contactName(contact),
    detail: contact.phone ?? contact.email ?? "",
    href: path(contact.conversation_id === null ? `/contacts/${contact.id}` : `/inbox/${contact.conversation_id}`),
  }));
  const visibleCampaigns = isIn(mainNavigation, "/campaigns") ? campaigns : [];
  const pages = [...mainNavigation, ...settingsNavigation, ...furtherPages].filter(({ label }) =>
    label.toLowerCase().includes(term.toLowerCase()),
  );
  const more = new URLSearchParams({ status: "all", search: term }).toString();
  const found: Found[] = [
    { title: "People", icon: "user-round", items: people },
    {
      title: "Campaigns",
      icon: "megaphone",
      items: visibleCampaigns.map(({ id, name, status }) => ({
        title: name,
        detail: toLabel(status),
        href: path(`/campaigns/${id}`),
      })),
    },
    {
      title: "Pages",
      icon: "layout-dashboard",
      items: pages.map(({ label, path: below }) => ({ title: label, detail: "", href: path(below) })),
    },
    {
      title: "More",
      icon: "search",
      items: [
        { title: `Conversations with “${term}”`, detail: "", href: path(`/inbox?${more}`) },
        {
          title: `Contacts with “${term}”`,
          detail: "",
          href: path(`/contacts?${new URLSearchParams({ search: term }).toString()}`),
        },
      ],
    },
  ];
  return found.filter(({ items }) => items.length > 0);
}

searchPages.get("/search", { role: "agent", query: searchQuery }, async (request, { query: { q } }) => {
  const found = q === undefined ? [] : await search(request, q);
  return (
    <Page title="Search">
      <form method="get" action={request.path("/search")} class="search-form" role="search">
        <label class="unseen" for="search-term">
          Search
        </label>
        <input
          id="search-term"
          type="search"
          name="q"
          value={q ?? ""}
          placeholder="People, campaigns and pages"
          maxlength={100}
          autofocus
        />
        <button type="submit">Search</button>
      </form>
      {q === undefined && (
        <EmptyState title="Find anything" icon="search">
          Search for a name, number, email or page.
        </EmptyState>
      )}
      {found.map(({ title, icon, items }) => (
        <Section title={title}>
          <ul class="found">
            {items.map((item) => (
              <li>
                <Icon name={icon} />
                <a href={item.href}>{item.title}</a> <span class="help">{item.detail}</span>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
});

searchPages.get("/search/results", { role: "agent", query: searchQuery }, async (request, { query: { q } }) =>
  sendJson({ groups: q === undefined ? [] : await search(request, q) }),
);
