import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { invalid, notFound } from "../../../shared/errors.ts";
import { fromJson } from "../../../shared/json.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { contactLayout, contactRecord } from "../../contacts/contacts.schemas.ts";
import { contactValues, newContactValues } from "../../contacts/contacts.values.ts";
import type { ConversationRecord } from "../../conversations/conversations.schemas.ts";
import { getConversation } from "../../conversations/conversations.service.ts";
import { recall } from "../../idempotency/idempotency.service.ts";
import { isMarketing } from "../../templates/templates.external.ts";
import { fillTemplate, readVariables, type SentVariables } from "../../templates/templates.filling.ts";
import { missingVariables, refuseTemplate } from "../../templates/templates.fitting.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import { listTemplates, parseSendable } from "../../templates/templates.service.ts";
import { type Accepted, accepted, ownConnection, replyInConversation, sendTo } from "./send-message.ts";
import type { Content } from "./send-message.sql.ts";
import { read, whoHasPhone, whoIsIn } from "./send-template.sql.ts";

const MAX_CHARACTERS = 4096;

const people = z.tuple([z.object({ contact: fromJson(contactRecord).nullable(), layout: fromJson(contactLayout) })]);
const connections = z.array(z.object({ channel: z.enum(["official", "unofficial"]) }));

interface Wish {
  id: string;
  variables: SentVariables;
  way: Parameters<typeof refuseTemplate>[1];
  /** What a person who is no contact yet can be addressed with. */
  newcomer: Map<string, string | null>;
}

/** Fills a template in from what was sent and what is known of the person. */
function compose(found: Awaited<ReturnType<typeof read>>, { id, variables, way, newcomer }: Wish): Content {
  const template = parseSendable(found.template);
  if (template === null) throw notFound("template");
  const { values, faults } = readVariables(template, variables);
  if (faults.length > 0) throw invalid(faults);
  const refusal = refuseTemplate(template, way);
  if (refusal !== null) throw refusal;

  const [{ contact, layout }] = people.parse(found.person);
  const own = contact === null ? newcomer : contactValues(contact, layout);
  const { text, missing, form } = fillTemplate(template, values, own);
  if (missing.length > 0) throw missingVariables(missing);
  if (Array.from(text).length > MAX_CHARACTERS) {
    const message = `Filled in, the template has more than ${MAX_CHARACTERS} characters.`;
    throw invalid({ path: "variables", code: "too_big", message });
  }
  return { text, template: { id, form, isMarketing: isMarketing(template.category) } };
}

interface Order {
  /** E.164. */
  to: string;
  variables?: SentVariables | undefined;
}

/**
 * Fills a template in for a person and sends it through the key's connection. The 24 hour window does not matter.
 * Throws `not_found`, `validation_failed`, `template_not_approved`, `channel_mismatch`, `missing_variable`, and what `sendTo` throws.
 */
export async function sendTemplate(ctx: Ctx, id: string, { to, variables = [] }: Order): Promise<Accepted> {
  const connectionId = ownConnection(ctx);
  const found = await read(ctx, { templateId: id, connectionId, who: whoHasPhone(ctx, phoneKey(to)) });
  const before = recall(ctx, found.record, accepted);
  if (before !== null) return before;
  const way = { id: connectionId, channel: connections.parse(found.connection)[0]?.channel };
  return sendTo(ctx, to, compose(found, { id, variables, way, newcomer: newContactValues(to) }));
}

const wayOf = ({ connection_id: id, channel }: ConversationRecord) => ({ id, channel });

/** The templates that can be sent in a conversation, newest first. */
export async function listTemplatesFor(ctx: Ctx, conversation: ConversationRecord): Promise<TemplateRecord[]> {
  const all = { status: "APPROVED", source: undefined, limit: undefined, before: undefined };
  const templates = await listTemplates(ctx, all);
  return templates.filter((template) => refuseTemplate(template, wayOf(conversation)) === null);
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
): Promise<Accepted> {
  const way = wayOf(await getConversation(ctx, conversationId));
  const who = whoIsIn(ctx, conversationId);
  const found = await read(ctx, { templateId: id, connectionId: way.id, who });
  const content = compose(found, { id, variables, way, newcomer: new Map() });
  return replyInConversation(ctx, conversationId, content);
}
