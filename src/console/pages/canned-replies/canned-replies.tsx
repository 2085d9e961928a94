import type { FC } from "hono/jsx";
import {
  type CannedReplyRecord,
  createCannedReplyBody,
  listCannedRepliesQuery,
} from "../../../features/canned-replies/canned-replies.schemas.ts";
import {
  createCannedReply,
  deleteCannedReply,
  getCannedReply,
  listCannedReplies,
  updateCannedReply,
} from "../../../features/canned-replies/canned-replies.service.ts";
import { contactValueNames } from "../../../features/contacts/contacts.values.ts";
import { page } from "../../../http/fields.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { PostButton, FormActions } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { EmptyState, Section } from "../../kit/feedback.tsx";
import { Form, Submit, TextArea, TextField } from "../../kit/forms/form-fields.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo, redirectWithUndo } from "../../kit/results.ts";
import { PagedTable } from "../../kit/tables.tsx";
import { Page } from "../../kit/page/page.tsx";

export const cannedReplyPages = workspacePages();

const CANNED_REPLIES = "/settings/canned-replies";
const PER_PAGE = 50;
/**
 * To restore a deleted reply, the undo notice must contain its text. A longer text does not fit into the
 * notice, so such a reply cannot be restored.
 */
const MAX_UNDOABLE = 800;

const VARIABLES = [...contactValueNames([])];

const Fields: FC<{ reply?: CannedReplyRecord }> = ({ reply }) => (
  <>
    <TextField
      name="shortcut"
      label="Shortcut"
      help="One word, like “hours”. In a reply, type / and the shortcut."
      maxlength={60}
      required
      value={reply?.shortcut}
    />
    <TextArea
      name="body"
      label="Text"
      help={
        <>
          Variables like <code>{"{{first_name|there}}"}</code> are replaced with the contact's values. Available:{" "}
          {VARIABLES.join(", ")}, and the key of any custom field.
        </>
      }
      maxlength={MAX_MESSAGE_CHARACTERS}
      required
      value={reply?.body}
    />
  </>
);

async function listPage({ ctx, path }: WorkspaceRequest, { before }: { before?: string | undefined } = {}) {
  const { items, nextCursor } = page(await listCannedReplies(ctx, PER_PAGE, before), PER_PAGE, ({ id }) => [id]);
  return (
    <Page title="Canned replies">
      <Section title="New canned reply">
        <Form action={path(CANNED_REPLIES)} class="narrow">
          <Fields />
          <Submit>Create canned reply</Submit>
        </Form>
      </Section>
      <Section title="All canned replies">
        <PagedTable
          id="canned-replies"
          caption="Canned replies, newest first"
          rows={items}
          columns={[
            {
              label: "Shortcut",
              cell: ({ id, shortcut }) => <a href={path(`${CANNED_REPLIES}/${id}`)}>/{shortcut}</a>,
            },
            { label: "Text", cell: ({ body }) => <span class="one-line">{body}</span> },
          ]}
          buttons={({ id, shortcut, revision }) => (
            <PostButton action={path(`${CANNED_REPLIES}/${id}/delete`)} revision={revision}>
              Delete<span class="unseen"> {shortcut}</span>
            </PostButton>
          )}
          empty={
            <EmptyState title="No canned replies yet" icon="message-square">
              Save answers you send often: opening hours, an address, a thank you.
            </EmptyState>
          }
          next={nextCursor}
        />
      </Section>
    </Page>
  );
}

cannedReplyPages.get(CANNED_REPLIES, { role: "agent", query: listCannedRepliesQuery }, (request, { query }) =>
  listPage(request, { before: query.cursor?.[0] }),
);

cannedReplyPages.post(
  "/settings/canned-replies",
  { role: "agent", body: createCannedReplyBody, onInvalid: (request) => listPage(request) },
  async ({ ctx, path }, { body }) => {
    const { shortcut } = await createCannedReply(ctx, body);
    return redirectTo(path(CANNED_REPLIES), `/${shortcut} created.`);
  },
);

async function editPage({ ctx, path }: WorkspaceRequest, { id }: { id: string }) {
  const reply = await getCannedReply(ctx, id);
  return (
    <Page title="Edit canned reply">
      <Form action={path(`${CANNED_REPLIES}/${id}`)} class="narrow" revision={reply.revision}>
        <Fields reply={reply} />
        <FormActions submit="Save" cancel={path(CANNED_REPLIES)} />
      </Form>
    </Page>
  );
}

cannedReplyPages.form(
  "/settings/canned-replies/:id",
  { role: "agent", body: createCannedReplyBody, page: editPage },
  async ({ ctx, path }, { params, body }) => {
    await updateCannedReply(ctx, params.id, body);
    return redirectTo(path(CANNED_REPLIES), "Saved.");
  },
);

cannedReplyPages.post("/settings/canned-replies/:id/delete", { role: "agent" }, async ({ ctx, path }, { params }) => {
  const { shortcut, body } = await deleteCannedReply(ctx, params.id);
  const at = path(CANNED_REPLIES);
  const done = `/${shortcut} deleted.`;
  return body.length > MAX_UNDOABLE ? redirectTo(at, done) : redirectWithUndo(at, done, at, { shortcut, body });
});
