import { type Command, Option } from "commander";
import type { Tidings } from "../src/index.ts";
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

/** A stored file, an address, or a file of this machine, which is uploaded first. */
async function resolveFile(tidings: Tidings, given: string): Promise<{ media_id: string } | { url: string }> {
  if (given.startsWith("med_")) return { media_id: given };
  if (isWebAddress(given)) return { url: given };
  const { media } = await uploadFile(tidings, given);
  return { media_id: media.id };
}

/** The values of a template's variables. Throws `UsageError`. */
function parseVariables(given: string | undefined): Record<string, string> | string[] | undefined {
  if (given === undefined) return undefined;
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError(`--variables takes JSON, like '["Ada"]' or '{"name": "Ada"}'.`);
  }
}

async function send(tidings: Tidings, options: SendOptions): Promise<unknown> {
  const { text, template, variables, caption, filename, idempotencyKey } = options;
  const given = KINDS.filter((kind) => options[kind] !== undefined);
  if ([text, template, ...given].filter((content) => content !== undefined).length !== 1)
    throw new UsageError(
      "Give exactly one of --text, --template, --image, --video, --audio, --document and --sticker.",
    );
  if (template === undefined && variables !== undefined) throw new UsageError("--variables goes with --template.");
  const [kind] = given;
  if (kind === undefined && (caption ?? filename) !== undefined)
    throw new UsageError("--caption and --filename go with a file.");
  const message = {
    to: options.to,
    contact_id: options.contactId,
    user_id: options.userId,
    reply_to: options.replyTo,
    send_at: options.sendAt,
  };
  if (template !== undefined)
    return tidings.templates.send(template, { ...message, variables: parseVariables(variables) }, { idempotencyKey });
  if (kind === undefined) return tidings.messages.send({ ...message, text }, { idempotencyKey });
  const file = { ...(await resolveFile(tidings, options[kind] ?? "")), caption, filename };
  return tidings.messages.send({ ...message, [kind]: file }, { idempotencyKey });
}

/** Adds `messages send`, which has an option for what is sent most. */
export function addSendMessage(program: Command, connect: () => Tidings): void {
  const command = program
    .command("messages")
    .description("messages to one person")
    .command("send")
    .description("send a message to one person")
    .option("--to <number>", "a phone number in international format: +14155550100")
    .option("--contact-id <id>", "a contact, in place of --to")
    .option("--user-id <id>", "a provider's id of a person without a number, in place of --to")
    .option("--text <text>", "what to say")
    .option("--template <id>", "a template, in place of --text")
    .option("--variables <json>", `its values: '["Ada"]' or '{"name": "Ada"}'`);
  for (const kind of KINDS)
    command.addOption(new Option(`--${kind} <file>`, "an id (med_…), an address, or a file of this machine"));
  command
    .option("--caption <text>", "below a file")
    .option("--filename <name>", "of a document")
    .option("--reply-to <id>", "a message of the same conversation")
    .option("--send-at <time>", "later, in UTC: 2026-12-01T09:30:00Z")
    .option("--idempotency-key <key>", "makes it happen once, however often it is sent")
    .action(async (options: SendOptions) => print(toJson(await send(connect(), options))));
}
