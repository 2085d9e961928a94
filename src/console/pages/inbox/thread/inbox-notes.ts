// Adds notes, and returns suggestions for the composer: canned replies and members.
import { getConversation } from "../../../../features/conversations/conversations.service.ts";
import { listMembers } from "../../../../features/members/members.service.ts";
import { addNote } from "../../../../features/messages/notes/notes.service.ts";
import { mentionsOf } from "../../../../features/messages/notes/find-mentions.ts";
import { addNoteBody } from "../../../../features/messages/notes/notes.schemas.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { redirectTo, sendJson } from "../../../kit/results.ts";
import { loadCannedReplies } from "./inbox-canned-replies.ts";
import { showThreadAgain } from "../inbox.tsx";
import { inboxPath } from "../list/inbox-query.ts";

export const inboxNotePages = workspacePages();

const MAX_LISTED = 500;

inboxNotePages.post(
  "/inbox/:id/note",
  {
    role: "agent",
    body: addNoteBody,
    onInvalid: showThreadAgain,
  },
  async (request, { params: { id }, body }) => {
    await addNote(request.ctx, id, body.body);
    return redirectTo(inboxPath(request, id, { compose: "note" }));
  },
);

inboxNotePages.get("/inbox/:id/canned-replies", { role: "agent" }, async (request, { params }) => {
  const { contact_id } = await getConversation(request.ctx, params.id);
  return sendJson({ suggestions: await loadCannedReplies(request, contact_id) });
});

inboxNotePages.get("/inbox/:id/members", { role: "agent" }, async ({ ctx }) => {
  const mentions = mentionsOf(await listMembers(ctx, MAX_LISTED));
  return sendJson({
    suggestions: mentions.map(({ member: { user_id: id, name }, text }) => ({ id, name, text: `@${text}` })),
  });
});
