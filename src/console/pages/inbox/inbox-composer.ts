// What an answer is composed from.
import { getContact } from "../../../features/contacts/contacts.service.ts";
import { contactValues } from "../../../features/contacts/contacts.values.ts";
import type { Thread } from "../../../features/messages/open-thread.ts";
import { listTemplatesFor } from "../../../features/messages/send/send-template.ts";
import type { TemplateRecord } from "../../../features/templates/templates.schemas.ts";
import type { FormState } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";
import type { InboxQuery } from "./inbox-query.ts";

export interface ComposerState {
  form: FormState;
  /** Of the latest messages, whose parts are swapped when something has been said. */
  isLatest: boolean;
  /** Null while free text is composed. */
  templates: TemplateRecord[] | null;
  /** The one that was chosen. */
  template: TemplateRecord | null;
  /** What the contact fills in, by name of the variable. */
  own: ReadonlyMap<string, string | null>;
}

/** With templates to answer with, where free text cannot go or a template is wanted. */
export async function loadComposer(
  { ctx }: WorkspaceRequest,
  thread: Thread,
  query: InboxQuery,
  form: FormState,
): Promise<ComposerState> {
  const { conversation, refusal } = thread;
  const composing: ComposerState = {
    form,
    isLatest: query.before === undefined,
    templates: null,
    template: null,
    own: new Map(),
  };
  const isClosed = refusal?.code === "window_closed";
  const isWanted = query.compose === "template" || form.name === "template";
  if (!isClosed && !(isWanted && refusal === null)) return composing;
  const templates = await listTemplatesFor(ctx, conversation);
  const [only, ...others] = templates;
  const chosen = form.values.get("template_id")?.[0] ?? query.template ?? (others.length === 0 ? only?.id : undefined);
  const template = templates.find(({ id }) => id === chosen) ?? null;
  if (template === null) return { ...composing, templates };
  const { contact, layout } = await getContact(ctx, conversation.contact_id);
  return { ...composing, templates, template, own: contactValues(contact, layout) };
}
