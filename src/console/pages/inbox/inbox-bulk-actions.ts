// Changes of all conversations that are ticked in the list, and how they are taken back.
import * as z from "zod";
import { updateConversations } from "../../../features/conversations/change-conversations.ts";
import {
  bulkUpdateBody,
  type ConversationChange,
  type ConversationRecord,
  updateConversationBody,
} from "../../../features/conversations/conversations.schemas.ts";
import { findConversations } from "../../../features/conversations/find-conversations.ts";
import { boundedText } from "../../../http/fields.ts";
import type { Ctx } from "../../../shared/context.ts";
import { invalid } from "../../../shared/errors.ts";
import { parseJsonOrNull } from "../../../shared/json.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { parseInput, type SentForm } from "../../kit/forms.ts";
import { redirectTo, redirectWithUndo } from "../../kit/results.ts";
import { inboxPath } from "./inbox-query.ts";

export const inboxBulkPages = workspacePages();

/** A change with the conversations that it is made to. */
type BulkChange = ConversationChange & { ids: string[] };

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

/** Each group is set to what it is to be, so that a repetition changes nothing. Gives how many conversations have changed. */
async function applyChanges(ctx: Ctx, groups: BulkChange[]): Promise<number> {
  let updated = 0;
  for (const group of groups) updated += (await updateConversations({ ...ctx, once: null }, group)).counts.updated;
  return updated;
}

/** The change that the pressed button names: `done`, `open`, `nobody`, `assign:` and a member, `snooze:` and a time, or `label`. */
function readAct(act: string, label: string): { changeOf(each: ConversationRecord): ConversationChange; done: string } {
  const [verb, value = ""] = act.split(/:(.*)/s);
  if (verb === "assign") return { changeOf: () => ({ assignee_id: value }), done: "assigned" };
  if (verb === "nobody") return { changeOf: () => ({ assignee_id: null }), done: "assigned to nobody" };
  if (verb === "snooze") return { changeOf: () => ({ snoozed_until: value }), done: "snoozed" };
  if (verb === "open") return { changeOf: () => ({ status: "open" }), done: "open" };
  if (verb === "done") return { changeOf: () => ({ status: "done" }), done: "done" };
  if (label === "") throw invalid({ path: "label", code: "required", message: "Write a label." });
  return { changeOf: ({ labels }) => ({ labels: [...labels, label] }), done: `labelled “${label}”` };
}

/** The change that takes another back: the fields that it touches, as they were. One that is done is snoozed no more, and the other way round. */
function changeBack(change: ConversationChange, before: ConversationRecord): ConversationChange {
  const until = before.snoozed_until === null ? null : new Date(before.snoozed_until).toISOString();
  if (change.assignee_id !== undefined) return { assignee_id: before.assignee_id };
  if (change.labels !== undefined) return { labels: before.labels };
  return { status: before.status, snoozed_until: until };
}

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

/** Characters of an undo: it travels in a cookie. */
const MAX_UNDO = 2000;

const counted = (count: number) => (count === 1 ? "1 conversation is" : `${count} conversations are`);

inboxBulkPages.post(
  "/inbox/bulk",
  { role: "agent", body: bulkForm, read: readBulk },
  async (request, { body: { ids, act, label } }) => {
    const { ctx } = request;
    const { changeOf, done } = readAct(act, label);
    const before = await findConversations(ctx, ids);
    const changes = before.map((each) => ({ id: each.id, change: parseInput(updateConversationBody, changeOf(each)) }));
    const updated = await applyChanges(ctx, groupByChange(changes));
    const list = inboxPath(request, null);
    if (updated === 0) return redirectTo(list, "Nothing had to be changed.");
    const back = before.map((each) => ({ id: each.id, change: changeBack(changeOf(each), each) }));
    const undo = JSON.stringify(groupByChange(back));
    const text = `${counted(updated)} ${done}.`;
    if (undo.length > MAX_UNDO) return redirectTo(list, text);
    return redirectWithUndo(list, text, inboxPath(request, "bulk/undo"), { changes: undo });
  },
);

const undoForm = z.strictObject({
  changes: z.array(z.object({ ids: bulkUpdateBody.shape.ids }).loose()).max(100),
});

inboxBulkPages.post(
  "/inbox/bulk/undo",
  { role: "agent", body: undoForm, read: (form) => ({ changes: parseJsonOrNull(form.text("changes") ?? "") }) },
  async (request, { body: { changes } }) => {
    const groups = changes.map(({ ids, ...change }) => ({ ids, ...parseInput(updateConversationBody, change) }));
    const updated = await applyChanges(request.ctx, groups);
    return redirectTo(inboxPath(request, null), `${counted(updated)} as before.`);
  },
);
