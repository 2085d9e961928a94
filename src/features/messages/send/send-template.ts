import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { transact } from "../../../db/statement.ts";
import { requireSendingConnection } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { invalid, notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { contactValues, newContactValues } from "../../contacts/contacts.values.ts";
import type { ConversationRecord } from "../../conversations/conversations.schemas.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { selectConversation } from "../../conversations/conversations.sql.ts";
import { findReplay, selectIdempotencyRecord } from "../../idempotency/idempotency.service.ts";
import { fillTemplate } from "../../templates/model/fill-template.ts";
import { parseTemplate, templateKind } from "../../templates/model/parse-template.ts";
import { readValues, type TemplateValues } from "../../templates/model/read-values.ts";
import { nameFiles, findFileFault, sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles, type TemplateFile, selectTemplate } from "../../templates/templates.sql.ts";
import { missingVariablesError, findTemplateFault } from "../../templates/templates.fitting.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import { listTemplates } from "../../templates/templates.service.ts";
import type { Addressee } from "../input/message-input.schemas.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { findConversationPartner, findRecipient } from "./find-recipient.ts";
import { acceptMessage } from "./send-message.ts";
import type { NewMessageContent } from "./new-message.ts";
import {
  selectConnectionChannel,
  selectTemplateRecipient,
  selectSeqByConversation,
  selectSeqByContact,
  selectSeqByPhone,
  selectSeqByUserId,
  type TemplateRecipient,
} from "./send-template.sql.ts";

interface TemplateSend {
  template: TemplateRecord | undefined;
  values: TemplateValues;
  /** Those of the template's files that the workspace has. */
  files: TemplateFile[];
  connection: Parameters<typeof findTemplateFault>[2];
  recipient: TemplateRecipient | undefined;
  /** The values of a person without a contact. */
  newcomerValues: Map<string, string | null>;
}

function fillContent(
  ctx: Ctx,
  id: string,
  { template, values: sentValues, files, connection, recipient, newcomerValues }: TemplateSend,
): NewMessageContent {
  if (template === undefined) throw notFound("template");
  const parsed = parseTemplate(template);
  const { values, parts: sentParts, faults } = readValues(parsed, sentValues);
  const { parts, fetched, faults: addressFaults } = nameFiles(parsed, sentParts, ctx);
  if (faults.length + addressFaults.length > 0) throw invalid([...faults, ...addressFaults]);
  const refusal = findTemplateFault(template, parsed, connection);
  if (refusal !== null) throw refusal;

  if (recipient === undefined) throw notFound("conversation");
  const { contact, layout } = recipient;
  const own = contact === null ? newcomerValues : contactValues(contact, layout);
  const { text, missing, form } = fillTemplate(parsed, values, own, parts);
  const fileRefusal = findFileFault(parsed, sentParts, files);
  if (fileRefusal !== null) throw fileRefusal;
  if (missing.length > 0) throw missingVariablesError(missing);
  if (Array.from(text).length > MAX_MESSAGE_CHARACTERS) {
    const message = `The rendered template has more than ${MAX_MESSAGE_CHARACTERS} characters.`;
    throw invalid({ path: "variables", code: "too_big", message });
  }
  return {
    text,
    template: { id, form, ...templateKind(template.category) },
    ...(fetched.length > 0 && { fetched }),
  };
}

/** Selects the addressee's `seq`, null for a person without a contact; no row if the contact does not exist. */
function selectAddresseeSeq(ctx: Ctx, connectionId: string, addressee: Addressee) {
  if (hasOwn(addressee, "contact_id")) return selectSeqByContact(ctx, addressee.contact_id);
  if (hasOwn(addressee, "user_id")) return selectSeqByUserId(ctx, connectionId, addressee.user_id);
  return selectSeqByPhone(ctx, phoneKey(addressee.to));
}

/**
 * Sends a filled-in template through the key's connection, also outside the customer service window. Throws `not_found`,
 * `validation_failed`, `template_not_approved`, `channel_mismatch`, `missing_variable`, and the errors of `acceptMessage`.
 */
export async function sendTemplate(
  ctx: Ctx,
  id: string,
  addressee: Addressee,
  values: TemplateValues,
): Promise<AcceptedMessage> {
  const connectionId = requireSendingConnection(ctx);
  const person = findRecipient(ctx, addressee);
  const { templates, connections, recipients, files, records } = await transact(ctx.db, {
    templates: selectTemplate(ctx, id),
    connections: selectConnectionChannel(ctx, connectionId),
    recipients: selectTemplateRecipient(ctx, selectAddresseeSeq(ctx, connectionId, addressee)),
    files: selectTemplateFiles(ctx, sentFileIds(values)),
    records: selectIdempotencyRecord(ctx),
  });
  const replay = findReplay(ctx, records, acceptedMessage);
  if (replay !== null) return replay;
  const [recipient] = recipients;
  if (templates[0] !== undefined && recipient === undefined) throw await person.explainMissing();
  const content = fillContent(ctx, id, {
    template: templates[0],
    values,
    files,
    connection: { id: connectionId, channel: connections[0]?.channel },
    recipient,
    newcomerValues: newContactValues(hasOwn(addressee, "to") ? addressee.to : null),
  });
  return acceptMessage(ctx, person, content);
}

const replyConnection = ({ connection_id: id, channel }: ConversationRecord) => ({ id, channel });

/** The templates that the conversation's connection can send, newest first. */
export async function listTemplatesFor(ctx: Ctx, conversation: ConversationRecord): Promise<TemplateRecord[]> {
  const approved = { status: "APPROVED" as const, source: undefined, limit: undefined, before: undefined };
  const templates = await listTemplates(ctx, approved);
  const connection = replyConnection(conversation);
  return templates.filter((template) => findTemplateFault(template, parseTemplate(template), connection) === null);
}

interface TemplateReply extends TemplateValues {
  template_id: string;
}

/** Sends a filled-in template in a conversation, at any time. Throws like `sendTemplate`. */
export async function replyWithTemplate(
  ctx: Ctx,
  conversationId: string,
  { template_id: id, ...values }: TemplateReply,
): Promise<AcceptedMessage> {
  const { conversations, templates, recipients, files } = await transact(ctx.db, {
    conversations: selectConversation(ctx, conversationId),
    templates: selectTemplate(ctx, id),
    recipients: selectTemplateRecipient(ctx, selectSeqByConversation(ctx, conversationId)),
    files: selectTemplateFiles(ctx, sentFileIds(values)),
  });
  const [conversation] = conversations;
  if (conversation === undefined) throw await conversationNotFound(ctx, conversationId);
  const content = fillContent(ctx, id, {
    template: templates[0],
    values,
    files,
    connection: replyConnection(conversation.result),
    recipient: recipients[0],
    newcomerValues: new Map(),
  });
  return acceptMessage(ctx, findConversationPartner(ctx, conversationId), content);
}
