// While Meta's own agent answers people, Meta reports its conversations in `standby` webhooks. Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/standby
import * as z from "zod";
import { contentShapes, type InboundParts } from "../../content.ts";
import {
  lenientText,
  lenientObject,
  MAX_BODY_BESIDE_PARTS_BYTES,
  fitJson,
  nonEmpty,
  storable,
} from "../../provider-input.ts";
import { labelled } from "../../readable.ts";

const lists = z.record(z.string(), z.unknown());

/**
 * Meta documents that the lists are in the object `standby`. Some partners put them one level above, so both
 * are read.
 */
export const standbyLists = (value: Record<string, unknown>): Record<string, unknown> => ({
  ...value,
  ...lists.safeParse(value["standby"]).data,
});

const mediaTypes = ["image", "video", "audio", "document", "sticker"] as const;

const echo = z.object({
  id: z.string(),
  timestamp: z.unknown().optional(),
  message: lists,
  template: z.unknown().optional(),
});

const addressed = z.object({ to: lenientText, recipient: lenientText });

const hasLink = z.looseObject({ link: z.string() });

const filesByUrl = (message: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    mediaTypes.flatMap((type) => {
      const { data } = hasLink.safeParse(message[type]);
      return data === undefined ? [] : [[type, { ...data, url: data.link }]];
    }),
  );

/**
 * An echo reports a message that was sent with other software. Some echoes contain the message as it was sent to
 * Meta's API. This function converts it to the format of messages in webhooks.
 */
export function readEcho(raw: unknown): unknown {
  const { data } = echo.safeParse(raw);
  if (data === undefined) return raw;
  const { id, timestamp, message, template } = data;
  const { to, recipient } = addressed.parse(message);
  const files = filesByUrl(message);
  return { ...message, ...files, id, timestamp, to, to_user_id: recipient, template_definition: template };
}

const parameter = z.object({ text: lenientText, parameter_name: lenientText });

const sentTemplate = z.object({
  type: z.literal("template"),
  template: z.object({
    name: z.string().catch("template"),
    components: z.array(z.object({ type: lenientText, parameters: z.array(parameter).catch([]) })).catch([]),
  }),
  template_definition: lenientObject({
    components: z.array(z.object({ type: lenientText, text: lenientText })).catch([]),
  }),
});

const isBody = ({ type }: { type?: string | null | undefined }): boolean => type?.toLowerCase() === "body";

function templateBody({ template, template_definition: definition }: z.infer<typeof sentTemplate>): string {
  const text = definition?.components.find(isBody)?.text;
  if (!text) return labelled("template", template.name);
  const parameters = template.components.find(isBody)?.parameters ?? [];
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => {
    const value = parameters.find(({ parameter_name }) => parameter_name === name) ?? parameters[Number(name) - 1];
    return value?.text ?? placeholder;
  });
}

const textOf = lenientObject({ text: lenientText });

const sentInteractive = z.object({
  type: z.literal("interactive"),
  interactive: z.object({
    type: z.string(),
    header: textOf,
    body: textOf,
    footer: textOf,
    action: lenientObject({
      button: lenientText,
      buttons: z.array(z.object({ reply: z.object({ id: z.string(), title: z.string() }) })).catch([]),
      sections: z.array(z.unknown()).catch([]),
      parameters: lenientObject({ display_text: lenientText, url: lenientText }),
    }),
  }),
});

function interactiveParts({ interactive }: z.infer<typeof sentInteractive>): Pick<InboundParts, "type" | "content"> {
  const { type, header, body, footer, action } = interactive;
  const titled = { body: body?.text ?? "", ...nonEmpty({ header: header?.text, footer: footer?.text }) };
  const known: Record<string, object> = {
    button: { type: "buttons", ...titled, buttons: (action?.buttons ?? []).map(({ reply }) => reply) },
    list: { type: "list", ...titled, button: action?.button, sections: action?.sections },
    cta_url: { type: "link", ...titled, title: action?.parameters?.display_text, url: action?.parameters?.url },
    location_request_message: { type: "location_request", body: titled.body },
  };
  const { data } = contentShapes.interactive.safeParse(Object.hasOwn(known, type) ? known[type] : null);
  return data === undefined
    ? { type: "unsupported", content: { kind: storable(type).slice(0, 100), content: interactive } }
    : { type: "interactive", content: data };
}

export function agentContent(sent: unknown): { body: string; parts?: InboundParts } | null {
  const template = sentTemplate.safeParse(sent).data;
  if (template !== undefined) return { body: storable(templateBody(template), MAX_BODY_BESIDE_PARTS_BYTES) };
  const choice = sentInteractive.safeParse(sent).data;
  if (choice === undefined) return null;
  const { type, content } = interactiveParts(choice);
  const parts = { type, content: fitJson(content), media: null, replyTo: [], isForwarded: false, referral: null };
  const body = storable(choice.interactive.body?.text ?? "", MAX_BODY_BESIDE_PARTS_BYTES);
  return { body: body.trim() === "" ? labelled(choice.interactive.type) : body, parts };
}
