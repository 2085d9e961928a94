import { createTagBody, listTagsQuery, type TagRecord, updateTagBody } from "../../features/tags/tags.schemas.ts";
import { palette } from "../../features/tags/tags.palette.ts";
import { createTag, deleteTag, listTags, updateTag } from "../../features/tags/tags.service.ts";
import { page as cut } from "../../http/fields.ts";
import { ConfirmButton } from "../kit/actions.tsx";
import { go, show } from "../kit/answers.ts";
import { workspacePages } from "../kit/audiences.ts";
import { Banner, EmptyState, Section, Time } from "../kit/feedback.tsx";
import { Form, Submit, TextField } from "../kit/form-fields.tsx";
import { type FormState, type SentForm, stateOf, untouched } from "../kit/forms.ts";
import { Pager, Table } from "../kit/tables.tsx";
import type { WorkspaceVisit } from "../kit/visit.ts";

export const tagPages = workspacePages();

const TAGS = "/settings/tags";
const PER_PAGE = 50;

interface Shown {
  cursor?: number | undefined;
  form?: FormState;
  /** The tag that the form, where it is named `edit`, is of. */
  edited?: string;
}

/** Name and colour, to be changed in the row. */
function TagForm({ action, tag: { id, name, color }, state }: { action: string; tag: TagRecord; state: FormState }) {
  const [first] = state.faults;
  const faultId = `tag-${id}-fault`;
  return (
    <Form action={action} class="row">
      <input type="color" name="color" value={state.values["color"]?.[0] ?? color} aria-label={`Colour of ${name}`} />
      <input
        type="text"
        name="name"
        id={`tag-${id}`}
        value={state.values["name"]?.[0] ?? name}
        aria-label={`Name of ${name}`}
        aria-invalid={first === undefined ? undefined : "true"}
        aria-describedby={first === undefined ? undefined : faultId}
        autocomplete="off"
        required
      />
      <Submit kind="plain">
        Save<span class="unseen"> {name}</span>
      </Submit>
      {first !== undefined && (
        <p class="fault" id={faultId}>
          {first.message}
        </p>
      )}
      {state.banner !== null && <Banner kind="error">{state.banner}</Banner>}
    </Form>
  );
}

async function tagsPage({ ctx, path }: WorkspaceVisit, { cursor, form = untouched, edited }: Shown = {}) {
  const rows = await listTags(ctx, PER_PAGE, cursor);
  const { items, nextCursor } = cut(rows, PER_PAGE, ({ number }) => [number]);
  const state = stateOf(form, "new");
  const nextColor = palette[(items[0]?.number ?? 0) % palette.length];
  return show({
    title: "Tags",
    body: (
      <>
        <Section title="New tag" help="Names that differ only in capitals are the same tag.">
          <Form action={path(TAGS)} state={state} class="row top">
            <TextField name="name" label="Name" required state={state} />
            <TextField name="color" label="Colour" type="color" value={nextColor} required state={state} />
            <Submit>Create tag</Submit>
          </Form>
        </Section>
        <Section title="All tags">
          {items.length === 0 ? (
            <EmptyState title="No tag yet">
              Tags sort contacts, like “Customer” or “Newsletter”. Create one above; contacts can be given several.
            </EmptyState>
          ) : (
            <Table
              caption="Tags, newest first"
              rows={items}
              columns={[
                {
                  label: "Tag",
                  cell: (tag) => (
                    <TagForm
                      action={path(`${TAGS}/${tag.id}`)}
                      tag={tag}
                      state={tag.id === edited ? stateOf(form, "edit") : untouched}
                    />
                  ),
                },
                { label: "Since", cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  label: "",
                  align: "end",
                  cell: ({ id, name }) => (
                    <ConfirmButton
                      id={`delete-${id}`}
                      label="Delete"
                      title={`Delete ${name}?`}
                      action={path(`${TAGS}/${id}/delete`)}
                      confirm="Delete tag"
                    >
                      Every contact loses it at once. The contacts themselves stay.
                    </ConfirmButton>
                  ),
                },
              ]}
            />
          )}
          <Pager next={nextCursor} />
        </Section>
      </>
    ),
  });
}

tagPages.get(TAGS, { query: listTagsQuery }, (visit, { query }) => tagsPage(visit, { cursor: query.cursor?.[0] }));

tagPages.post(
  "/settings/tags",
  { body: createTagBody, form: "new", again: (visit, _, form) => tagsPage(visit, { form }) },
  async ({ ctx, path }, { body }) => {
    const { name } = await createTag(ctx, body);
    return go(path(TAGS), `${name} has been created.`);
  },
);

const readTag = (form: SentForm) => ({ name: form.text("name") ?? "", color: form.text("color") });

tagPages.post(
  "/settings/tags/:id",
  {
    body: updateTagBody,
    form: "edit",
    read: readTag,
    again: (visit, { id }, form) => tagsPage(visit, { form, edited: id }),
  },
  async ({ ctx, path }, { params, body }) => {
    const { name } = await updateTag(ctx, params.id, body);
    return go(path(TAGS), `${name} has been saved.`);
  },
);

tagPages.post("/settings/tags/:id/delete", {}, async ({ ctx, path }, { params }) => {
  const { name } = await deleteTag(ctx, params.id);
  return go(path(TAGS), `${name} has been deleted.`);
});
