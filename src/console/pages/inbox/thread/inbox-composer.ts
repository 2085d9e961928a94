import { fillCannedReply } from "../../../../features/canned-replies/canned-replies.schemas.ts";
import { listCannedReplies } from "../../../../features/canned-replies/canned-replies.service.ts";
import { getContact } from "../../../../features/contacts/contacts.service.ts";
import { contactValues } from "../../../../features/contacts/contacts.values.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";
import { getMessage } from "../../../../features/messages/messages.service.ts";
import type { Thread } from "../../../../features/messages/history/open-thread.ts";
import { listTemplatesFor } from "../../../../features/messages/send/send-template.ts";
import type { TemplateRecord } from "../../../../features/templates/templates.schemas.ts";
import { findMediaFiles } from "../../../../features/media/media.service.ts";
import type { ChosenFile } from "../../../kit/forms/file-field.tsx";
import { unsentForm } from "../../../kit/forms/forms.ts";
import { loadFiles, NO_FILES, takesFiles, type TemplateFiles } from "../../messages/template/template-files.tsx";
import { conversationTitle } from "../list/inbox-list.tsx";
import type { InboxQuery } from "../list/inbox-query.ts";

const MAX_LISTED = 500;

export interface Suggestion {
  id: string;
  name: string;
  text: string;
}

export async function loadCannedReplies({ ctx }: WorkspaceRequest, contactId: string): Promise<Suggestion[]> {
  const [replies, { contact, layout }] = await Promise.all([
    listCannedReplies(ctx, MAX_LISTED, undefined),
    getContact(ctx, contactId),
  ]);
  const values = contactValues(contact, layout);
  return replies.map(({ id, shortcut, body }) => ({ id, name: shortcut, text: fillCannedReply(body, values) }));
}

export interface ComposerState {
  /** True if the page contains the newest messages. Only then can a script add a sent reply to the page. */
  isLatest: boolean;
  isNoting: boolean;
  canned: Suggestion[] | null;
  begin: string;
  quoted: { id: string; who: string; text: string } | null;
  attached: ChosenFile | null;
  templates: TemplateRecord[] | null;
  template: TemplateRecord | null;
  own: ReadonlyMap<string, string | null>;
  files: TemplateFiles;
}

const EXCERPT = 160;

async function findQuoted(
  { ctx }: WorkspaceRequest,
  { conversation, messages }: Thread,
  id: string | undefined,
): Promise<ComposerState["quoted"]> {
  if (id === undefined) return null;
  const inThread = messages.find((message) => message.id === id);
  const who = (isFromContact: boolean) => (isFromContact ? conversationTitle(conversation) : "you");
  if (inThread !== undefined) return { id, who: who(inThread.fromContact), text: inThread.body.slice(0, EXCERPT) };
  const { conversation_id, from_contact, body } = await getMessage(ctx, id);
  return conversation_id === conversation.id ? { id, who: who(from_contact), text: body.slice(0, EXCERPT) } : null;
}

export async function loadComposer(
  request: WorkspaceRequest,
  thread: Thread,
  query: InboxQuery,
): Promise<ComposerState> {
  const { ctx, refused, here } = request;
  const { conversation, refusal } = thread;
  const { values } = refused ?? unsentForm;
  // The path shows which form was rejected: notes are posted to `/inbox/:id/note`, and replies to `/inbox/:id`.
  const refusedAt = refused === null ? undefined : here.split("/")[3];
  const fileId = values.get("media_id")?.[0] ?? "";
  const canned = query.compose === "canned" ? await loadCannedReplies(request, conversation.contact_id) : null;
  const [quoted, files] = await Promise.all([
    findQuoted(request, thread, values.get("reply_to")?.[0] ?? query.reply_to),
    findMediaFiles(ctx, fileId === "" ? [] : [fileId]),
  ]);
  const composing: ComposerState = {
    isLatest: query.before === undefined,
    isNoting: query.compose === "note" || refusedAt === "note",
    canned,
    begin: canned?.find(({ id }) => id === query.canned)?.text ?? "",
    quoted,
    attached: files.get(fileId) ?? null,
    templates: null,
    template: null,
    own: new Map(),
    files: NO_FILES,
  };
  const isClosed = refusal?.code === "window_closed";
  const isWanted = query.compose === "template" || refusedAt === "template";
  if (!isClosed && !(isWanted && refusal === null)) return composing;
  const templates = await listTemplatesFor(ctx, conversation);
  const [only, ...others] = templates;
  const chosen = values.get("template_id")?.[0] ?? query.template ?? (others.length === 0 ? only?.id : undefined);
  const template = templates.find(({ id }) => id === chosen) ?? null;
  if (template === null) return { ...composing, templates };
  const [{ contact, layout }, ofTemplate] = await Promise.all([
    getContact(ctx, conversation.contact_id),
    loadFiles(ctx, values, takesFiles(template)),
  ]);
  return { ...composing, templates, template, own: contactValues(contact, layout), files: ofTemplate };
}
