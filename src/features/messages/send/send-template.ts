import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { invalid, notFound } from "../../../shared/errors.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { contactValues, newContactValues } from "../../contacts/contacts.values.ts";
import type { ConversationRecord } from "../../conversations/conversations.schemas.ts";
import { getConversation } from "../../conversations/conversations.service.ts";
import { findReplay, selectIdempotencyRecord } from "../../idempotency/idempotency.service.ts";
import { isMarketing } from "../../templates/templates.external.ts";
import { fillTemplate, readVariables, type SentVariables } from "../../templates/templates.filling.ts";
import { refuseMissingVariables, refuseTemplate } from "../../templates/templates.fitting.ts";
import type { SendableTemplate, TemplateRecord } from "../../templates/templates.schemas.ts";
import { listTemplates, selectSendableTemplate } from "../../templates/templates.service.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { replyInConversation, requireSendingConnection, sendToPhone } from "./send-message.ts";
import type { MessageContent } from "./send-message.sql.ts";
import {
  selectConnectionChannel,
  selectTemplateRecipient,
  selectSeqByConversation,
  selectSeqByPhone,
  type TemplateRecipient,
} from "./send-template.sql.ts";

interface TemplateSend {
  template: SendableTemplate | undefined;
  variables: SentVariables;
  /** The connection that the template is to go through. */
  connection: Parameters<typeof refuseTemplate>[1];
  recipient: TemplateRecipient | undefined;
  /** The values of a person who is no contact yet. */
  newcomerValues: Map<string, string | null>;
}

/** Fills a template in from what was sent and the contact's own values. */
function fillContent(
  id: string,
  { template, variables, connection, recipient, newcomerValues }: TemplateSend,
): MessageContent {
  if (template === undefined) throw notFound("template");
  const { values, faults } = readVariables(template, variables);
  if (faults.length > 0) throw invalid(faults);
  const refusal = refuseTemplate(template, connection);
  if (refusal !== null) throw refusal;

  if (recipient === undefined) throw notFound("conversation");
  const { contact, layout } = recipient;
  const own = contact === null ? newcomerValues : contactValues(contact, layout);
  const { text, missing, form } = fillTemplate(template, values, own);
  if (missing.length > 0) throw refuseMissingVariables(missing);
  if (Array.from(text).length > MAX_MESSAGE_CHARACTERS) {
    const message = `Filled in, the template has more than ${MAX_MESSAGE_CHARACTERS} characters.`;
    throw invalid({ path: "variables", code: "too_big", message });
  }
  return { text, template: { id, form, isMarketing: isMarketing(template.category) } };
}

interface TemplateToPhone {
  /** E.164. */
  to: string;
  variables?: SentVariables | undefined;
}

/**
 * Fills a template in for a person and sends it through the key's connection. The customer service window does not matter.
 * Throws `not_found`, `validation_failed`, `template_not_approved`, `channel_mismatch`, `missing_variable`, and what `sendToPhone` throws.
 */
export async function sendTemplate(
  ctx: Ctx,
  id: string,
  { to, variables = [] }: TemplateToPhone,
): Promise<AcceptedMessage> {
  const connectionId = requireSendingConnection(ctx);
  const { templates, connections, recipients, records } = await transact(ctx.db, {
    templates: selectSendableTemplate(ctx, id),
    connections: selectConnectionChannel(ctx, connectionId),
    recipients: selectTemplateRecipient(ctx, selectSeqByPhone(ctx, phoneKey(to))),
    records: selectIdempotencyRecord(ctx),
  });
  const replay = findReplay(ctx, records, acceptedMessage);
  if (replay !== null) return replay;
  const content = fillContent(id, {
    template: templates[0]?.result,
    variables,
    connection: { id: connectionId, channel: connections[0]?.channel },
    recipient: recipients[0],
    newcomerValues: newContactValues(to),
  });
  return sendToPhone(ctx, to, content);
}

const replyConnection = ({ connection_id: id, channel }: ConversationRecord) => ({ id, channel });

/** The templates that can be sent in a conversation, newest first. */
export async function listTemplatesFor(ctx: Ctx, conversation: ConversationRecord): Promise<TemplateRecord[]> {
  const approved = { status: "APPROVED", source: undefined, limit: undefined, before: undefined };
  const templates = await listTemplates(ctx, approved);
  return templates.filter((template) => refuseTemplate(template, replyConnection(conversation)) === null);
}

interface TemplateReply {
  template_id: string;
  variables?: SentVariables | undefined;
}

/** Fills a template in for the person in a conversation and sends it there, at any time. Throws as `sendTemplate` does. */
export async function replyWithTemplate(
  ctx: Ctx,
  conversationId: string,
  { template_id: id, variables = [] }: TemplateReply,
): Promise<AcceptedMessage> {
  const connection = replyConnection(await getConversation(ctx, conversationId));
  const { templates, recipients } = await transact(ctx.db, {
    templates: selectSendableTemplate(ctx, id),
    recipients: selectTemplateRecipient(ctx, selectSeqByConversation(ctx, conversationId)),
  });
  const content = fillContent(id, {
    template: templates[0]?.result,
    variables,
    connection,
    recipient: recipients[0],
    newcomerValues: new Map(),
  });
  return replyInConversation(ctx, conversationId, content);
}
