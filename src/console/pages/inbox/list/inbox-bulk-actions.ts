import * as z from "zod";
import {
  changeLabels,
  undoConversationChange,
  updateConversations,
} from "../../../../features/conversations/team/change-conversations.ts";
import {
  bulkUpdateBody,
  type ConversationChange,
  labelText,
  type UndoableFields,
  undoableFields,
  MAX_LABELS,
  updateConversationBody,
} from "../../../../features/conversations/conversations.schemas.ts";
import { findConversations } from "../../../../features/conversations/conversations.service.ts";
import { boundedText } from "../../../../http/fields.ts";
import { invalid } from "../../../../shared/errors.ts";
import { hasOwn } from "../../../../shared/security/own.ts";
import { workspacePages } from "../../../kit/audiences.ts";
import { jsonField } from "../../../kit/forms/form-body.ts";
import { parseInput } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { redirectTo, redirectWithUndo } from "../../../kit/results.ts";
import { onceForStep } from "../../../kit/forms/saving.ts";
import { inboxPath } from "./inbox-query.ts";
import { touchedFields } from "../inbox-team-actions.tsx";

export const inboxBulkPages = workspacePages();

const undoneLabel = z.strictObject({ ids: bulkUpdateBody.shape.ids, removed_label: labelText });
const undoneFields = z.strictObject({ ids: bulkUpdateBody.shape.ids, before: undoableFields, after: undoableFields });

type UndoneLabel = z.output<typeof undoneLabel>;
type UndoneFields = z.output<typeof undoneFields>;

function groupByState(after: UndoableFields, changed: { id: string; before: UndoableFields }[]): UndoneFields[] {
  const groups = Map.groupBy(changed, ({ before }) => JSON.stringify(before));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ids: [first, ...others].map(({ id }) => id), before: first.before, after }],
  );
}

/**
 * Reads the value of the pressed button, which names the change: `done`, `open`, `nobody`, `assign:<member>` or
 * `snooze:<time>`.
 */
function readAct(act: string): { change: ConversationChange; done: string } {
  const [verb, value = ""] = act.split(/:(.*)/s);
  if (verb === "assign") return { change: { assignee_id: value }, done: "assigned" };
  if (verb === "nobody") return { change: { assignee_id: null }, done: "unassigned" };
  if (verb === "snooze") return { change: { snoozed_until: value }, done: "snoozed" };
  if (verb === "open") return { change: { status: "open" }, done: "open" };
  if (verb === "done") return { change: { status: "done" }, done: "done" };
  throw invalid({ path: "act", code: "invalid_value", message: "Choose an action." });
}

const UNCHANGED = "Nothing to change.";

const bulkForm = z.strictObject({
  ids: bulkUpdateBody.shape.ids,
  act: boundedText(100),
  label: z.string().trim().default(""),
});

const counted = (count: number) => (count === 1 ? "1 conversation is" : `${count} conversations are`);

function leadBack(request: WorkspaceRequest, text: string, undo: (UndoneLabel | UndoneFields)[]) {
  const list = inboxPath(request, null);
  const changes = JSON.stringify(undo);
  // A repeated request has changed nothing, so there is nothing to undo.
  return request.ctx.once?.replayed === true || undo.length === 0
    ? redirectTo(list, text)
    : redirectWithUndo(list, text, inboxPath(request, "bulk/undo"), { changes });
}

async function labelAll(request: WorkspaceRequest, ids: string[], written: string) {
  const label = parseInput(z.object({ label: labelText }), { label: written }).label;
  const { results, counts } = await changeLabels(request.ctx, { ids, added: [label] });
  const full = results.filter(({ error }) => error?.code === "validation_failed").length;
  const labelled = counts.updated === 0 ? [] : [`${counted(counts.updated)} labelled “${label}”.`];
  const left = full === 0 ? [] : [`${full} of them ${full === 1 ? "has" : "have"} ${MAX_LABELS} labels already.`];
  const changed = results.filter(({ status }) => status === "updated").map((each) => each.conversation_id);
  const text = [...labelled, ...left].join(" ");
  const undo = changed.length === 0 ? [] : [{ ids: changed, removed_label: label }];
  return leadBack(request, text === "" ? UNCHANGED : text, undo);
}

/**
 * Returns the fields after the change, because an undo restores only conversations that still have these values.
 * A done conversation has no snooze, and a reopened one has none either, because it was done.
 */
const fieldsAfter = ({ assignee_id, status = "open", snoozed_until = null }: ConversationChange): UndoableFields =>
  assignee_id === undefined ? { status, snoozed_until } : { assignee_id };

async function changeAll(request: WorkspaceRequest, ids: string[], act: string) {
  const { change: sent, done } = readAct(act);
  const change = parseInput(updateConversationBody, sent);
  const before = await findConversations(request.ctx, ids);
  const { results, counts } = await updateConversations(request.ctx, { ids, ...change });
  if (counts.updated === 0) return leadBack(request, UNCHANGED, []);
  const updated = new Set(results.filter(({ status }) => status === "updated").map((each) => each.conversation_id));
  const changed = before.filter(({ id }) => updated.has(id));
  const back = changed.map((each) => ({ id: each.id, before: touchedFields(change, each) }));
  return leadBack(request, `${counted(counts.updated)} ${done}.`, groupByState(fieldsAfter(change), back));
}

inboxBulkPages.post("/inbox/bulk", { role: "agent", body: bulkForm }, (request, { body }) =>
  body.act === "label" ? labelAll(request, body.ids, body.label) : changeAll(request, body.ids, body.act),
);

const undoForm = z.strictObject({ changes: jsonField.pipe(z.array(z.union([undoneLabel, undoneFields])).max(100)) });

function describeUndo({ updated, unchanged }: { updated: number; unchanged: number }): string {
  if (updated === 0) return "Nothing was undone, because everything changed since.";
  const left =
    unchanged === 1 ? "1 changed since and was not restored." : `${unchanged} changed since and were not restored.`;
  return `${counted(updated)} restored.${unchanged === 0 ? "" : ` ${left}`}`;
}

inboxBulkPages.post("/inbox/bulk/undo", { role: "agent", body: undoForm }, async (request, { body: { changes } }) => {
  const { once } = request.ctx;
  const sum = { updated: 0, unchanged: 0 };
  for (const [index, undone] of changes.entries()) {
    // With the same idempotency key, the second group would get the stored result of the first.
    const ctx = { ...request.ctx, once: onceForStep(once, String(index)) };
    const { counts } = hasOwn(undone, "after")
      ? await undoConversationChange(ctx, undone)
      : await changeLabels(ctx, { ids: undone.ids, removed: [undone.removed_label] });
    sum.updated += counts.updated;
    sum.unchanged += counts.unchanged;
  }
  return redirectTo(inboxPath(request, null), describeUndo(sum));
});
