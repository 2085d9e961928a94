// Changes of all conversations that are ticked in the list, and how they are taken back.
import * as z from "zod";
import { addLabel, removeLabel, updateConversations } from "../../../features/conversations/change-conversations.ts";
import {
  bulkUpdateBody,
  type ConversationChange,
  type ConversationRecord,
  labelText,
  MAX_LABELS,
  updateConversationBody,
} from "../../../features/conversations/conversations.schemas.ts";
import { findConversations } from "../../../features/conversations/find-conversations.ts";
import { boundedText } from "../../../http/fields.ts";
import { invalid } from "../../../shared/errors.ts";
import { parseJsonOrNull } from "../../../shared/json.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { parseInput, type SentForm } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { redirectTo, redirectWithUndo } from "../../kit/results.ts";
import { inboxPath } from "./inbox-query.ts";

export const inboxBulkPages = workspacePages();

/** A change with the conversations that it is made to. */
type BulkChange = (ConversationChange | { removed_label: string }) & { ids: string[] };

/** Conversations with the same change are changed together. */
function groupByChange(changes: { id: string; change: ConversationChange }[]): BulkChange[] {
  const groups = new Map<string, BulkChange>();
  for (const { id, change } of changes) {
    const key = JSON.stringify(change);
    const group: BulkChange = groups.get(key) ?? { ids: [], ...change };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The change that the pressed button names: `done`, `open`, `nobody`, `assign:` and a member, or `snooze:` and a time. */
function readAct(act: string): { change: ConversationChange; done: string } {
  const [verb, value = ""] = act.split(/:(.*)/s);
  if (verb === "assign") return { change: { assignee_id: value }, done: "assigned" };
  if (verb === "nobody") return { change: { assignee_id: null }, done: "assigned to nobody" };
  if (verb === "snooze") return { change: { snoozed_until: value }, done: "snoozed" };
  if (verb === "open") return { change: { status: "open" }, done: "open" };
  if (verb === "done") return { change: { status: "done" }, done: "done" };
  throw invalid({ path: "act", code: "invalid_value", message: "Choose what to do." });
}

/** The change that takes another back: the fields that it touches, as they were. One that is done is snoozed no more, and the other way round. */
function changeBack(change: ConversationChange, before: ConversationRecord): ConversationChange {
  const until = before.snoozed_until === null ? null : new Date(before.snoozed_until).toISOString();
  if (change.assignee_id !== undefined) return { assignee_id: before.assignee_id };
  return { status: before.status, snoozed_until: until };
}

const UNCHANGED = "Nothing had to be changed.";

const bulkForm = z.strictObject({
  ids: bulkUpdateBody.shape.ids,
  act: boundedText(100),
  label: z.string().default(""),
});

const readBulk = (form: SentForm) => ({
  ids: form.all("ids"),
  act: form.text("act"),
  label: form.text("label")?.trim(),
});

const counted = (count: number) => (count === 1 ? "1 conversation is" : `${count} conversations are`);

/** Leads back to the list, which offers to take back what was done. */
function leadBack(request: WorkspaceRequest, text: string, undo: BulkChange[]) {
  const list = inboxPath(request, null);
  const changes = JSON.stringify(undo);
  // A repetition finds conversations as they are since: it knows of nothing to go back to.
  return request.ctx.once?.replayed === true || undo.length === 0
    ? redirectTo(list, text)
    : redirectWithUndo(list, text, inboxPath(request, "bulk/undo"), { changes });
}

async function labelAll(request: WorkspaceRequest, ids: string[], written: string) {
  const label = parseInput(z.object({ label: labelText }), { label: written }).label;
  const { results, counts } = await addLabel(request.ctx, { ids, label });
  const full = results.filter(({ error }) => error?.code === "validation_failed").length;
  const labelled = counts.updated === 0 ? [] : [`${counted(counts.updated)} labelled “${label}”.`];
  const left = full === 0 ? [] : [`${full} of them ${full === 1 ? "has" : "have"} ${MAX_LABELS} labels already.`];
  const changed = results.filter(({ status }) => status === "updated").map((each) => each.conversation_id);
  const text = [...labelled, ...left].join(" ");
  const undo = changed.length === 0 ? [] : [{ ids: changed, removed_label: label }];
  return leadBack(request, text === "" ? UNCHANGED : text, undo);
}

async function changeAll(request: WorkspaceRequest, ids: string[], act: string) {
  const { change: sent, done } = readAct(act);
  const change = parseInput(updateConversationBody, sent);
  const before = await findConversations(request.ctx, ids);
  const { updated } = (await updateConversations(request.ctx, { ids, ...change })).counts;
  if (updated === 0) return leadBack(request, UNCHANGED, []);
  const back = before.map((each) => ({ id: each.id, change: changeBack(change, each) }));
  return leadBack(request, `${counted(updated)} ${done}.`, groupByChange(back));
}

inboxBulkPages.post("/inbox/bulk", { role: "agent", body: bulkForm, read: readBulk }, (request, { body }) =>
  body.act === "label" ? labelAll(request, body.ids, body.label) : changeAll(request, body.ids, body.act),
);

const undoForm = z.strictObject({
  changes: z.array(z.object({ ids: bulkUpdateBody.shape.ids, removed_label: labelText.optional() }).loose()).max(100),
});

inboxBulkPages.post(
  "/inbox/bulk/undo",
  { role: "agent", body: undoForm, read: (form) => ({ changes: parseJsonOrNull(form.text("changes") ?? "") }) },
  async (request, { body: { changes } }) => {
    const { once } = request.ctx;
    let updated = 0;
    for (const [index, { ids, removed_label: label, ...change }] of changes.entries()) {
      // Each group has an answer of its own for a repetition of the form.
      const ctx = { ...request.ctx, once: once === null ? null : { ...once, key: `${once.key} ${index}` } };
      const { counts } =
        label === undefined
          ? await updateConversations(ctx, { ids, ...parseInput(updateConversationBody, change) })
          : await removeLabel(ctx, { ids, label });
      updated += counts.updated;
    }
    return redirectTo(inboxPath(request, null), `${counted(updated)} as before.`);
  },
);
