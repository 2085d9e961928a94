import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { phoneKey } from "../../shared/phone.ts";
import { contactLayout, contactRecord } from "../contacts/contacts.schemas.ts";
import { contactValues, newContactValues } from "../contacts/contacts.values.ts";
import { recall } from "../idempotency/idempotency.service.ts";
import { fillTemplate, readVariables, type SentVariables } from "../templates/templates.filling.ts";
import type { SendableTemplate } from "../templates/templates.schemas.ts";
import { parseSendable } from "../templates/templates.service.ts";
import { type Accepted, accepted, ownConnection, sendTo } from "./send-message.ts";
import { read } from "./send-template.repository.ts";

const MAX_CHARACTERS = 4096;

const json = <T extends z.ZodType>(shape: T) => z.string().transform((value) => shape.parse(JSON.parse(value)));
const people = z.tuple([z.object({ contact: json(contactRecord).nullable(), layout: json(contactLayout) })]);
const connections = z.array(z.object({ channel: z.enum(["official", "unofficial"]) }));

interface Way {
  connectionId: string;
  channel: "official" | "unofficial" | undefined;
}

/** Throws what speaks against a template whatever it is filled in with. A connection that is gone is judged when the message is queued. */
function checkTemplate({ status, source, connection_id }: SendableTemplate, { connectionId, channel }: Way): void {
  if (status !== "APPROVED") {
    const message = "The provider has not approved this template. Sync the connection if that has changed.";
    throw new AppError("template_not_approved", message, { status });
  }
  if (source === "external" && connection_id !== connectionId) {
    const message =
      "An external template goes only through the connection it belongs to. Use a key of that connection.";
    throw new AppError("channel_mismatch", message);
  }
  if (source === "local" && channel === "official") {
    const message =
      "A local template goes only through an unofficial connection. Use a key of one, or an external template.";
    throw new AppError("channel_mismatch", message);
  }
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
  const found = await read(ctx, { templateId: id, connectionId, phoneKey: phoneKey(to) });
  const before = recall(ctx, found.record, accepted);
  if (before !== null) return before;

  const template = parseSendable(found.template);
  if (template === null) throw notFound("template");
  const { values, faults } = readVariables(template, variables);
  if (faults.length > 0) throw invalid(...faults);
  checkTemplate(template, { connectionId, channel: connections.parse(found.connection)[0]?.channel });

  const [{ contact, layout }] = people.parse(found.person);
  const own = contact === null ? newContactValues(to) : contactValues(contact, layout);
  const { text, missing, form } = fillTemplate(template, values, own);
  if (missing.length > 0) {
    const message = `There is no value for ${missing.slice(0, 5).join(", ")}, and nothing is sent blank. Send it in variables.`;
    throw new AppError("missing_variable", message, { variables: missing });
  }
  if (Array.from(text).length > MAX_CHARACTERS) {
    const message = `Filled in, the template has more than ${MAX_CHARACTERS} characters.`;
    throw invalid({ path: "variables", code: "too_big", message });
  }
  return sendTo(ctx, to, { text, template: { id, form } });
}
