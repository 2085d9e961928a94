// Loads what the form for a reply needs.
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
  /** True where the latest messages are shown: sending then swaps parts of the page. */
  isLatest: boolean;
  /** Null while the reply is free text. */
  templates: TemplateRecord[] | null;
  /** The chosen template. */
  template: TemplateRecord | null;
  /** The contact's own values by variable. */
  own: ReadonlyMap<string, string | null>;
}

/** Loads templates where free text is not allowed or a template was asked for. */
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
