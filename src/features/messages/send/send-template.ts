import { and, eq, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { connections, contacts } from "../../../db/schema/index.ts";
import { statement, type Statement, transact } from "../../../db/statement.ts";
import { requireSendingConnection } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { invalid, notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { contactLayout, contactRecord } from "../../contacts/contacts.schemas.ts";
import { contactJson, contactLayoutJson } from "../../contacts/contacts.sql.ts";
import { contactValues, newContactValues } from "../../contacts/contacts.values.ts";
import type { ConversationRecord } from "../../conversations/conversations.schemas.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { selectConversation } from "../../conversations/conversations.sql.ts";
import { findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import { fillTemplate } from "../../templates/model/fill-template.ts";
import { parseTemplate, templateKind } from "../../templates/model/parse-template.ts";
import { readValues, type TemplateValues } from "../../templates/model/read-values.ts";
import { nameFiles, findFileFault, sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles, type TemplateFile, selectTemplate } from "../../templates/templates.sql.ts";
import { missingVariablesError, findTemplateFault } from "../../templates/templates.fitting.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import { listTemplates } from "../../templates/templates.service.ts";
import type { AddresseeInput } from "../input/message-input.schemas.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { addresseeOf, addresseeOfConversation, selectAddresseeSeq, selectSeqOfConversation } from "./find-addressee.ts";
import type { NewMessage } from "./new-message.ts";
import { acceptMessage } from "./send-message.ts";

const c = columns(contacts, "c");

const templateAddressee = z.object({ contact: fromJson(contactRecord).nullable(), layout: fromJson(contactLayout) });

type TemplateAddressee = z.infer<typeof templateAddressee>;

export const selectTemplateAddressee = (ctx: Ctx, seq: SQL): Statement<TemplateAddressee> =>
  statement(
    templateAddressee,
    sql`
      SELECT (SELECT ${contactJson(ctx)} FROM contacts c WHERE ${c.seq} = found.seq) AS contact, ${contactLayoutJson(ctx)} AS layout
      FROM (${seq}) found`,
  );

const selectConnectionChannel = (ctx: Ctx, connectionId: string) =>
  ctx.db
    .select({ channel: connections.channel })
    .from(connections)
    .where(and(eq(connections.id, connectionId), eq(connections.workspaceId, ctx.workspace.id)));

interface TemplateSend {
  template: TemplateRecord | undefined;
  values: TemplateValues;
  files: TemplateFile[];
  connection: Parameters<typeof findTemplateFault>[2];
  addressee: TemplateAddressee | undefined;
  valuesWithoutContact: Map<string, string | null>;
}

function fillMessage(
  ctx: Ctx,
  id: string,
  { template, values: sentValues, files, connection, addressee, valuesWithoutContact }: TemplateSend,
): NewMessage {
  if (template === undefined) throw notFound("template");
  const parsed = parseTemplate(template);
  const { values, parts: sentParts, faults } = readValues(parsed, sentValues);
  const { parts, fetched, faults: addressFaults } = nameFiles(parsed, sentParts, ctx);
  if (faults.length + addressFaults.length > 0) throw invalid([...faults, ...addressFaults]);
  const refusal = findTemplateFault(template, parsed, connection);
  if (refusal !== null) throw refusal;

  if (addressee === undefined) throw notFound("conversation");
  const { contact, layout } = addressee;
  const own = contact === null ? valuesWithoutContact : contactValues(contact, layout);
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

export async function sendTemplate(
  ctx: Ctx,
  id: string,
  to: AddresseeInput,
  values: TemplateValues,
): Promise<AcceptedMessage> {
  const connectionId = requireSendingConnection(ctx);
  const person = addresseeOf(ctx, to);
  const { templates, channels, addressees, files, replays } = await transact(ctx.db, {
    templates: selectTemplate(ctx, id),
    channels: selectConnectionChannel(ctx, connectionId),
    addressees: selectTemplateAddressee(ctx, selectAddresseeSeq(ctx, connectionId, to)),
    files: selectTemplateFiles(ctx, sentFileIds(values)),
    replays: selectReplay(ctx),
  });
  const replay = findReplay(ctx, replays, acceptedMessage);
  if (replay !== null) return replay;
  const [addressee] = addressees;
  if (templates[0] !== undefined && addressee === undefined) throw await person.explainMissing();
  const message = fillMessage(ctx, id, {
    template: templates[0],
    values,
    files,
    connection: { id: connectionId, channel: channels[0]?.channel },
    addressee,
    valuesWithoutContact: newContactValues(hasOwn(to, "to") ? to.to : null),
  });
  return acceptMessage(ctx, person, message);
}

const replyConnection = ({ connection_id: id, channel }: ConversationRecord) => ({ id, channel });

export async function listTemplatesFor(ctx: Ctx, conversation: ConversationRecord): Promise<TemplateRecord[]> {
  const approved = { status: "APPROVED" as const, source: undefined, limit: undefined, before: undefined };
  const templates = await listTemplates(ctx, approved);
  const connection = replyConnection(conversation);
  return templates.filter((template) => findTemplateFault(template, parseTemplate(template), connection) === null);
}

interface TemplateReply extends TemplateValues {
  template_id: string;
}

export async function replyWithTemplate(
  ctx: Ctx,
  conversationId: string,
  { template_id: id, ...values }: TemplateReply,
): Promise<AcceptedMessage> {
  const { conversations, templates, addressees, files } = await transact(ctx.db, {
    conversations: selectConversation(ctx, conversationId),
    templates: selectTemplate(ctx, id),
    addressees: selectTemplateAddressee(ctx, selectSeqOfConversation(ctx, conversationId)),
    files: selectTemplateFiles(ctx, sentFileIds(values)),
  });
  const [conversation] = conversations;
  if (conversation === undefined) throw await conversationNotFound(ctx, conversationId);
  const message = fillMessage(ctx, id, {
    template: templates[0],
    values,
    files,
    connection: replyConnection(conversation.result),
    addressee: addressees[0],
    valuesWithoutContact: new Map(),
  });
  return acceptMessage(ctx, addresseeOfConversation(ctx, conversationId), message);
}
