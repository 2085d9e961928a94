// Actions of team work: assign, snooze, label and mark as done, for one conversation or many.
import * as z from "zod";
import { updateConversation } from "../../../features/conversations/change-conversations.ts";
import {
  type ConversationChange,
  type ConversationRecord,
  updateConversationBody,
} from "../../../features/conversations/conversations.schemas.ts";
import { getConversation } from "../../../features/conversations/conversations.service.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { parseInput, type SentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo, redirectWithUndo } from "../../kit/results.ts";
import { fieldToUtc } from "../../kit/time-field.tsx";
import { conversationTitle } from "./inbox-list.tsx";
import { besideComposer } from "./inbox-query.ts";

export const inboxTeamPages = workspacePages();

/** Fields of a form that undoes a change: null is an empty one. */
const undoFields = ({
  status,
  assignee_id,
  snoozed_until,
}: ConversationRecord): Record<"status" | "assignee_id" | "snoozed_until", string> => ({
  status,
  assignee_id: assignee_id ?? "",
  snoozed_until: snoozed_until === null ? "" : new Date(snoozed_until).toISOString(),
});

/** The notice about a change. */
function describeChange(change: ConversationChange, after: ConversationRecord, userId: string): string {
  const name = conversationTitle(after);
  if (change.snoozed_until !== undefined)
    return change.snoozed_until === null
      ? `The conversation with ${name} is back in the list.`
      : `The conversation with ${name} is snoozed.`;
  if (change.assignee_id !== undefined) {
    if (after.assignee_id === null) return `The conversation with ${name} is assigned to nobody.`;
    return `The conversation with ${name} is assigned to ${after.assignee_id === userId ? "you" : after.assignee_name}.`;
  }
  if (change.labels !== undefined) return "The labels are saved.";
  return change.status === "done"
    ? `The conversation with ${name} is done.`
    : `The conversation with ${name} is open again.`;
}

/** Changes a conversation, and offers to undo that where a press of a button did it. */
async function changeAndOfferUndo(request: WorkspaceRequest, id: string, sent: unknown) {
  const input = parseInput(updateConversationBody, sent);
  const before = await getConversation(request.ctx, id);
  const after = await updateConversation(request.ctx, id, input);
  // One change may bring another: what is done is snoozed no more.
  const [back, now] = [undoFields(before), undoFields(after)];
  const names = (["status", "assignee_id", "snoozed_until"] as const).filter((name) => now[name] !== back[name]);
  const fields = Object.fromEntries(names.map((name) => [name, back[name]]));
  const to = besideComposer(request, id);
  const done = describeChange(input, after, request.session.user.id);
  return names.length === 0
    ? redirectTo(to, done)
    : redirectWithUndo(to, done, besideComposer(request, `${id}/change`), fields);
}

const changeForm = z.strictObject({
  status: z.string().optional(),
  assignee_id: z.string().nullable().optional(),
  snoozed_until: z.string().nullable().optional(),
  labels: z.array(z.string()).optional(),
});

/** The time that a form names: ISO, or day and time in UTC as browsers send them. */
const readTime = (written: string | null) =>
  written === null || written.endsWith("Z") ? written : fieldToUtc(written);

const readChange = (form: SentForm) => {
  const sent = (name: string) => form.values.has(name);
  return {
    ...(sent("status") && { status: form.text("status") }),
    ...(sent("assignee_id") && { assignee_id: form.textOrNull("assignee_id") }),
    ...(sent("snoozed_until") && { snoozed_until: readTime(form.textOrNull("snoozed_until")) }),
    ...(sent("labels") && { labels: readLabels(form.text("labels")) }),
  };
};

/** Labels as they are typed, between commas. */
const readLabels = (typed = ""): string[] => typed.split(",").flatMap((label) => (label.trim() === "" ? [] : [label]));

inboxTeamPages.post(
  "/inbox/:id/change",
  { role: "agent", body: changeForm, read: readChange },
  (request, { params, body }) => changeAndOfferUndo(request, params.id, body),
);
