import { findUsesOfTag } from "../../../features/campaigns/find-uses.ts";
import {
  createTagBody,
  listTagsQuery,
  type TagRecord,
  updateTagBody,
  tagPalette,
} from "../../../features/tags/tags.schemas.ts";
import { createTag, deleteTag, getTag, listTags, updateTag } from "../../../features/tags/tags.service.ts";
import { page } from "../../../http/fields.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { countContactsWith, describeUses, showDeletionPage } from "../../kit/page/record-pages.tsx";
import { Before } from "../../kit/forms/changes.tsx";
import { EmptyState, Section } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { PagedTable } from "../../kit/tables.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { redirectNamingBrokenSegments } from "../segments/segments.tsx";

export const tagPages = workspacePages();

const TAGS = "/settings/tags";
const PER_PAGE = 50;

const TagForm = ({ action, tag: { name, color } }: { action: string; tag: TagRecord }) => (
  <Form action={action} class="row tight">
    <Before name="color" now={[color]} />
    <Before name="name" now={[name]} />
    <input type="color" name="color" value={color} aria-label={`Colour of ${name}`} />
    <input type="text" name="name" value={name} aria-label={`Name of ${name}`} autocomplete="off" required />
    <Submit kind="plain">
      Save<span class="unseen"> {name}</span>
    </Submit>
  </Form>
);

async function tagsPage({ ctx, path }: WorkspaceRequest, { cursor }: { cursor?: number | undefined } = {}) {
  const rows = await listTags(ctx, PER_PAGE, cursor);
  const { items, nextCursor } = page(rows, PER_PAGE, ({ number }) => [number]);
  const nextColor = tagPalette[(items[0]?.number ?? 0) % tagPalette.length];
  return (
    <Page title="Tags">
      <Section title="New tag" help="Names are not case-sensitive.">
        <Form action={path(TAGS)} class="row top">
          <TextField name="name" label="Name" required />
          <TextField name="color" label="Colour" type="color" value={nextColor} required />
          <Submit>Create tag</Submit>
        </Form>
      </Section>
      <Section title="All tags">
        <PagedTable
          id="tags"
          caption="Tags, newest first"
          rows={items}
          columns={[{ label: "Tag", cell: (tag) => <TagForm action={path(`${TAGS}/${tag.id}`)} tag={tag} /> }]}
          buttons={({ id, name }) => (
            <ButtonLink href={path(`${TAGS}/${id}/delete`)}>
              Delete<span class="unseen"> {name}</span>
            </ButtonLink>
          )}
          empty={
            <EmptyState title="No tags yet" icon="tag">
              Tags group contacts, like “Customer” or “Newsletter”. A contact can have several.
            </EmptyState>
          }
          next={nextCursor}
        />
      </Section>
    </Page>
  );
}

tagPages.get(TAGS, { query: listTagsQuery }, (request, { query }) => tagsPage(request, { cursor: query.cursor?.[0] }));

tagPages.post(
  "/settings/tags",
  { body: createTagBody, onInvalid: (request) => tagsPage(request) },
  async ({ ctx, path }, { body }) => {
    const { name } = await createTag(ctx, body);
    return redirectTo(path(TAGS), `${name} created.`);
  },
);

/** Shows a rejected form on a page of its own, because the tag may be far down the list. */
async function invalidTagPage({ ctx, path }: WorkspaceRequest, id: string) {
  const tag = await getTag(ctx, id);
  return (
    <Page title="Edit tag">
      <Form action={path(`${TAGS}/${id}`)} class="narrow" isPartial>
        <TextField name="name" label="Name" value={tag.name} required />
        <TextField name="color" label="Colour" type="color" value={tag.color} required />
        <div class="actions">
          <Submit>Save</Submit>
          <ButtonLink href={path(TAGS)}>All tags</ButtonLink>
        </div>
      </Form>
    </Page>
  );
}

tagPages.post(
  "/settings/tags/:id",
  { body: updateTagBody, isPartial: true, onInvalid: (request, { id }) => invalidTagPage(request, id) },
  async ({ ctx, path }, { params, body, original }) => {
    const { name } = await updateTag(ctx, params.id, body, original);
    return redirectTo(path(TAGS), `${name} saved.`);
  },
);

tagPages.get("/settings/tags/:id/delete", {}, async (request, { params: { id } }) => {
  const uses = await findUsesOfTag(request.ctx, id);
  const contacts = await countContactsWith(request.ctx, { field: "tags", op: "has_any", value: [uses.name] });
  const back = request.path(TAGS);
  return showDeletionPage({
    title: `Delete ${uses.name}?`,
    action: `${back}/${id}/delete`,
    back,
    consequence: "The tag is removed from every contact. The contacts stay.",
    uses: describeUses(request, contacts, uses),
    confirm: "Delete tag",
  });
});

tagPages.post("/settings/tags/:id/delete", {}, async (request, { params: { id } }) => {
  const { segments } = await findUsesOfTag(request.ctx, id);
  const { name } = await deleteTag(request.ctx, id);
  return redirectNamingBrokenSegments(request, request.path(TAGS), `${name} deleted.`, segments);
});
