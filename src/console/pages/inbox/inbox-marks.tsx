// Labels and custom snooze times: from their menus, or from a page that shows faults.
import * as z from "zod";
import { relabelConversation } from "../../../features/conversations/team/change-conversations.ts";
import { typedLabels } from "../../../features/conversations/conversations.schemas.ts";
import { getConversation } from "../../../features/conversations/conversations.service.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { workspacePages } from "../../kit/audiences.ts";
import { Before } from "../../kit/forms/changes.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { unsentForm } from "../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo } from "../../kit/results.ts";
import { fieldTime, TimeField } from "../../kit/forms/time-field.tsx";
import { Page } from "../../kit/page/page.tsx";
import { conversationTitle } from "./list/inbox-list.tsx";
import { composingPath } from "./list/inbox-query.ts";
import { changeAndOfferUndo } from "./inbox-team-actions.ts";

export const inboxMarkPages = workspacePages();

/** Labels separated by commas. */
const splitLabels = (typed: string) => typed.split(",").filter((label) => label.trim() !== "");

const labelsForm = z.strictObject({ labels: z.string().transform(splitLabels).pipe(typedLabels).optional() });

async function labelsPage(request: WorkspaceRequest, { id }: { id: string }) {
  const conversation = await getConversation(request.ctx, id);
  const state = request.refused ?? unsentForm;
  // A fault may belong to any label.
  const faults = state.faults.map((fault) => ({ ...fault, path: "labels" }));
  return (
    <Page title={`Labels of ${conversationTitle(conversation)}`}>
      <Form action={composingPath(request, `${id}/labels`)} state={{ ...state, faults }} class="narrow">
        <Before name="labels" now={state.origin?.before.get("labels") ?? [conversation.labels.join(", ")]} />
        <TextField name="labels" label="Labels, separated by commas" />
        <div class="buttons">
          <Submit>Save</Submit>
          <ButtonLink href={composingPath(request, id)}>Cancel</ButtonLink>
        </div>
      </Form>
    </Page>
  );
}

/** Applies only this form's additions and removals, so that concurrent edits are kept. */
inboxMarkPages.post(
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
        <div class="buttons">
          <Submit>Snooze</Submit>
          <ButtonLink href={composingPath(request, id)}>Cancel</ButtonLink>
        </div>
      </Form>
    </Page>
  );
}

const snoozeForm = z.strictObject({ snoozed_until: fieldTime });

inboxMarkPages.post(
  "/inbox/:id/snooze",
  {
    role: "agent",
    body: snoozeForm,
    onInvalid: snoozePage,
  },
  (request, { params, body }) => changeAndOfferUndo(request, params.id, body),
);
