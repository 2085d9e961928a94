import * as z from "zod";
import {
  undoConversationChange,
  updateConversation,
  relabelConversation,
} from "../../../features/conversations/team/change-conversations.ts";
import {
  type ConversationChange,
  type ConversationRecord,
  type UndoableFields,
  undoableFields,
  updateConversationBody,
  typedLabels,
} from "../../../features/conversations/conversations.schemas.ts";
import { getConversation } from "../../../features/conversations/conversations.service.ts";
import { isoOrNull } from "../../../shared/time/iso-times.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { jsonField } from "../../kit/forms/form-body.ts";
import { parseInput, unsentForm } from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo, redirectWithError, redirectWithUndo } from "../../kit/results.ts";
import { conversationTitle } from "./list/inbox-list.tsx";
import { composingPath } from "./list/inbox-query.ts";
import { Before } from "../../kit/forms/changes.tsx";
import { Form, TextField } from "../../kit/forms/form-fields.tsx";
import { fieldTime, TimeField } from "../../kit/forms/time-field.tsx";
import { Page } from "../../kit/page/page.tsx";
import { FormActions } from "../../kit/actions.tsx";

export const inboxTeamPages = workspacePages();

/**
 * Returns the fields that an undo restores. Status and snooze are restored together, because a change of one can
 * change the other.
 */
export const touchedFields = (
  change: ConversationChange,
  { status, assignee_id, snoozed_until }: ConversationRecord,
): UndoableFields => ({
  ...(change.assignee_id !== undefined && { assignee_id }),
  ...((change.status !== undefined || change.snoozed_until !== undefined) && {
    status,
    snoozed_until: isoOrNull(snoozed_until),
  }),
});

const changedFrom = (
  { status, assignee_id, snoozed_until }: UndoableFields,
  others: UndoableFields,
): UndoableFields => ({
  ...(status !== others.status && { status }),
  ...(assignee_id !== others.assignee_id && { assignee_id }),
  ...(snoozed_until !== others.snoozed_until && { snoozed_until }),
});

function describeChange(change: ConversationChange, after: ConversationRecord, userId: string): string {
  const name = conversationTitle(after);
  if (change.snoozed_until !== undefined)
    return change.snoozed_until === null
      ? `Conversation with ${name} unsnoozed.`
      : `Conversation with ${name} snoozed.`;
  if (change.assignee_id !== undefined) {
    if (after.assignee_id === null) return `Conversation with ${name} unassigned.`;
    return `Conversation with ${name} assigned to ${after.assignee_id === userId ? "you" : after.assignee_name}.`;
  }
  return change.status === "done" ? `Conversation with ${name} marked as done.` : `Conversation with ${name} reopened.`;
}

async function changeAndOfferUndo(request: WorkspaceRequest, id: string, sent: unknown) {
  const change = parseInput(updateConversationBody, sent);
  const before = await getConversation(request.ctx, id);
  const after = await updateConversation(request.ctx, id, change);
  const reached = touchedFields(change, after);
  const back = changedFrom(touchedFields(change, before), reached);
  const to = composingPath(request, id);
  const done = describeChange(change, after, request.session.user.id);
  const fields = { before: JSON.stringify(back), after: JSON.stringify(reached) };
  return Object.keys(back).length === 0
    ? redirectTo(to, done)
    : redirectWithUndo(to, done, composingPath(request, `${id}/undo`), fields);
}

async function undoChange(request: WorkspaceRequest, id: string, { before, after }: z.output<typeof undoForm>) {
  const { counts } = await undoConversationChange(request.ctx, { ids: [id], before, after });
  const conversation = await getConversation(request.ctx, id);
  const to = composingPath(request, id);
  return counts.updated === 0
    ? redirectWithError(
        to,
        `The conversation with ${conversationTitle(conversation)} changed since, so nothing was undone.`,
      )
    : redirectTo(to, describeChange(before, conversation, request.session.user.id));
}

const changeForm = z.strictObject({
  status: z.string().optional(),
  assignee_id: z.string().nullable().optional(),
  snoozed_until: z.string().nullable().optional(),
});

inboxTeamPages.post("/inbox/:id/change", { role: "agent", body: changeForm }, (request, { params, body }) =>
  changeAndOfferUndo(request, params.id, body),
);

const undoForm = z.strictObject({ before: jsonField.pipe(undoableFields), after: jsonField.pipe(undoableFields) });

inboxTeamPages.post("/inbox/:id/undo", { role: "agent", body: undoForm }, (request, { params, body }) =>
  undoChange(request, params.id, body),
);

const splitLabels = (typed: string) => typed.split(",").filter((label) => label.trim() !== "");

const labelsForm = z.strictObject({ labels: z.string().transform(splitLabels).pipe(typedLabels).optional() });

async function labelsPage(request: WorkspaceRequest, { id }: { id: string }) {
  const conversation = await getConversation(request.ctx, id);
  const state = request.refused ?? unsentForm;
  // The form has one field for all labels, so the fault of a single label is moved to this field.
  const faults = state.faults.map((fault) => ({ ...fault, path: "labels" }));
  return (
    <Page title={`Labels of ${conversationTitle(conversation)}`}>
      <Form action={composingPath(request, `${id}/labels`)} state={{ ...state, faults }} class="narrow">
        <Before name="labels" now={state.origin?.before.get("labels") ?? [conversation.labels.join(", ")]} />
        <TextField name="labels" label="Labels, separated by commas" />
        <FormActions submit="Save" cancel={composingPath(request, id)} />
      </Form>
    </Page>
  );
}

/** Submits only the labels that this user added or removed, so that changes of colleagues stay. */
inboxTeamPages.post(
  "/inbox/:id/labels",
  { role: "agent", body: labelsForm, isPartial: true, onInvalid: labelsPage },
  async (request, { params: { id }, body: { labels = [] }, original: { labels: before = [] } = {} }) => {
    const [had, has] = [new Set(before), new Set(labels)];
    const [added, removed] = [labels.filter((each) => !had.has(each)), before.filter((each) => !has.has(each))];
    await relabelConversation(request.ctx, id, { added, removed });
    return redirectTo(composingPath(request, id), "Labels saved.");
  },
);

async function snoozePage(request: WorkspaceRequest, { id }: { id: string }) {
  const conversation = await getConversation(request.ctx, id);
  return (
    <Page title={`Snooze ${conversationTitle(conversation)}`} scripts={["times.client.js"]}>
      <Form action={composingPath(request, `${id}/snooze`)} class="narrow">
        <TimeField name="snoozed_until" label="Until" required />
        <FormActions submit="Snooze" cancel={composingPath(request, id)} />
      </Form>
    </Page>
  );
}

const snoozeForm = z.strictObject({ snoozed_until: fieldTime });

inboxTeamPages.post(
  "/inbox/:id/snooze",
  { role: "agent", body: snoozeForm, onInvalid: snoozePage },
  (request, { params, body }) => changeAndOfferUndo(request, params.id, body),
);
