import { type Command, Option } from "commander";
import type { ConversationsReplyRequest, Tidings } from "../src/index.ts";
import { print, toJson, UsageError } from "./output.ts";
import { isWebAddress, uploadFile } from "./upload-file.ts";

const KINDS = ["image", "video", "audio", "document", "sticker"] as const;

type Kind = (typeof KINDS)[number];

interface SendOptions extends Partial<Record<Kind, string>> {
  to?: string;
  contactId?: string;
  userId?: string;
  text?: string;
  template?: string;
  variables?: string;
  caption?: string;
  filename?: string;
  replyTo?: string;
  sendAt?: string;
  idempotencyKey?: string;
}

/** Uploads the file if `given` is a local path. The id of a stored file, or an address, stays as it is. */
async function resolveFile(tidings: Tidings, given: string): Promise<{ media_id: string } | { url: string }> {
  if (given.startsWith("med_")) return { media_id: given };
  if (isWebAddress(given)) return { url: given };
  const { media } = await uploadFile(tidings, given);
  return { media_id: media.id };
}

/** Throws `UsageError`. */
function parseVariables(given: string | undefined): Record<string, string> | string[] | undefined {
  if (given === undefined) return undefined;
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError(`--variables requires JSON, like '["Ada"]' or '{"name": "Ada"}'.`);
  }
}

type Addressee = { to: string } | { contact_id: string } | { user_id: string };

/** Throws `UsageError`. */
function addresseeOf({ to, contactId, userId }: SendOptions): Addressee {
  const [addressee, ...others] = [
    ...(to === undefined ? [] : [{ to }]),
    ...(contactId === undefined ? [] : [{ contact_id: contactId }]),
    ...(userId === undefined ? [] : [{ user_id: userId }]),
  ];
  if (addressee === undefined || others.length > 0)
    throw new UsageError("Pass exactly one of --to, --contact-id and --user-id.");
  return addressee;
}

/** The content of a message with a file. Before the upload, throws `UsageError` if an option does not fit the kind. */
async function contentOf(tidings: Tidings, kind: Kind, options: SendOptions): Promise<ConversationsReplyRequest> {
  const { caption, filename } = options;
  if (filename !== undefined && kind !== "document") throw new UsageError("--filename requires --document.");
  if (caption !== undefined && (kind === "audio" || kind === "sticker"))
    throw new UsageError("--caption requires --image, --video or --document.");
  const source = await resolveFile(tidings, options[kind] ?? "");
  switch (kind) {
    case "image":
      return { image: { ...source, caption } };
    case "video":
      return { video: { ...source, caption } };
    case "document":
      return { document: { ...source, caption, filename } };
    case "audio":
      return { audio: source };
    case "sticker":
      return { sticker: source };
  }
}

async function send(tidings: Tidings, options: SendOptions): Promise<unknown> {
  const { text, template, variables, caption, filename, idempotencyKey } = options;
  const given = KINDS.filter((kind) => options[kind] !== undefined);
  if ([text, template, ...given].filter((content) => content !== undefined).length !== 1)
    throw new UsageError(
      "Pass exactly one of --text, --template, --image, --video, --audio, --document and --sticker.",
    );
  if (template === undefined && variables !== undefined) throw new UsageError("--variables requires --template.");
  const [kind] = given;
  if (kind === undefined && (caption ?? filename) !== undefined)
    throw new UsageError("--caption and --filename require a file.");
  const message = { ...addresseeOf(options), reply_to: options.replyTo, send_at: options.sendAt };
  if (template !== undefined)
    return tidings.templates.send(template, { ...message, variables: parseVariables(variables) }, { idempotencyKey });
  if (kind === undefined) return tidings.messages.send({ ...message, text: text ?? "" }, { idempotencyKey });
  const content = await contentOf(tidings, kind, options);
  return tidings.messages.send({ ...message, ...content }, { idempotencyKey });
}

export function addSendMessage(program: Command, connect: () => Tidings): void {
  const command = program
    .command("messages")
    .description("messages to one person")
    .command("send")
    .description("send a message to one person")
    .option("--to <number>", "phone number in international format: +14155550100")
    .option("--contact-id <id>", "id of a contact, instead of --to")
    .option("--user-id <id>", "provider's id of a person without a phone number, instead of --to")
    .option("--text <text>", "text of the message")
    .option("--template <id>", "id of a template, instead of --text")
    .option("--variables <json>", `values of the template: '["Ada"]' or '{"name": "Ada"}'`);
  for (const kind of KINDS)
    command.addOption(new Option(`--${kind} <file>`, "id (med_…) or address of a file, or a local file"));
  command
    .option("--caption <text>", "caption of a file")
    .option("--filename <name>", "file name of a document")
    .option("--reply-to <id>", "id of a message in the same conversation")
    .option("--send-at <time>", "time to send at, in UTC: 2026-12-01T09:30:00Z")
    .option("--idempotency-key <key>", "prevents a second message if the command is repeated")
    .action(async (options: SendOptions) => print(toJson(await send(connect(), options))));
}
