#!/usr/bin/env node
import { randomBytes } from "node:crypto";
import { Command, CommanderError } from "commander";
import { Webhook } from "standardwebhooks";
import manifest from "../package.json" with { type: "json" };
import { Tidings } from "../src/index.ts";
import { describeError, formatEvent, note, print, toJson, toLine, UsageError } from "./output.ts";
import { followEvents } from "./follow-events.ts";
import { forwardEvent } from "./forward-event.ts";
import { addOperations } from "./operations.ts";
import { addSendMessage } from "./send-message.ts";
import { addMediaUpload } from "./upload-file.ts";

const FAILED = 1;
const MISUSED = 2;

const stop = new AbortController();

/** The first Ctrl-C stops the command cleanly. The second Ctrl-C kills the process. */
function stopOnSignal(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
}

const isStop = (error: unknown): boolean =>
  stop.signal.aborted && error instanceof Error && error.name === "AbortError";

// A reader such as `head` can close the pipe early. The command then stops without an error.
process.stdout.on("error", () => process.exit(0));

const program = new Command("tidings")
  .description("Send messages and follow the events of a Tidings workspace.")
  .version(manifest.version)
  .option("--base-url <address>", "address of your Tidings deployment; default: TIDINGS_BASE_URL")
  .option("--api-key <key>", "API key; TIDINGS_API_KEY is safer, because other users of a machine can see its commands")
  .exitOverride()
  .showHelpAfterError("Add --help to list commands and options.")
  .addHelpText(
    "after",
    "\nExit codes: 0 done, 1 rejected or failed, 2 invalid command." +
      "\nEvery operation of the API is a command: tidings contacts list --json '{\"limit\": 5}'",
  );

/** Throws `UsageError`. */
function connect(options: { maxRetries?: number } = {}): Tidings {
  const flags = program.opts<{ baseUrl?: string; apiKey?: string }>();
  const baseUrl = flags.baseUrl ?? process.env["TIDINGS_BASE_URL"];
  const apiKey = flags.apiKey ?? process.env["TIDINGS_API_KEY"];
  if (!baseUrl) throw new UsageError("The address of your Tidings deployment is required: set TIDINGS_BASE_URL.");
  if (!apiKey) throw new UsageError("The API key is required: set TIDINGS_API_KEY.");
  try {
    return new Tidings({ baseUrl, apiKey, ...options });
  } catch (error) {
    throw new UsageError(describeError(error));
  }
}

/** Throws `UsageError`. */
function checkSecret(secret: string): string {
  try {
    new Webhook(secret).sign("", new Date(), "");
    if (secret.startsWith("whsec_")) return secret;
  } catch {
    // the error below explains the format
  }
  throw new UsageError("A signing secret is whsec_ followed by base64. Omit --secret to get a new secret.");
}

/** Throws `UsageError`. */
function checkAddress(url: string): string {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : new URL("none:");
  // `fetch` rejects an address with a user name or password.
  if (/^https?:$/.test(protocol) && username + password === "") return url;
  throw new UsageError("--forward requires an address, like http://localhost:3000/hook.");
}

interface FollowFlags {
  types?: string;
  after: string;
}

const follow = (tidings: Tidings, { after, types }: FollowFlags) =>
  followEvents(tidings, { after, types, signal: stop.signal });

program
  .command("listen")
  .description("forward events to your address as signed webhooks, for development")
  .requiredOption("-f, --forward <address>", "address to forward to: http://localhost:3000/hook")
  .option("--types <types>", "only these types: 'message.received,contact.*'")
  .option("--after <event>", "start after this event", "now")
  .option("--secret <secret>", "signing secret; default: TIDINGS_WEBHOOK_SECRET, or else a new secret")
  .action(
    async ({
      forward,
      secret = process.env["TIDINGS_WEBHOOK_SECRET"],
      ...flags
    }: FollowFlags & { forward: string; secret?: string }) => {
      stopOnSignal();
      const receiver = {
        url: checkAddress(forward),
        secret: checkSecret(secret ?? `whsec_${randomBytes(24).toString("base64")}`),
        signal: stop.signal,
      };
      const tidings = connect({ maxRetries: 0 });
      const { workspace } = await tidings.me.get({ signal: stop.signal });
      print(`Forwarding events of ${toLine(workspace.name ?? workspace.id)} to ${receiver.url}`);
      // A secret from the user is not printed, because logs can store the output.
      if (secret === undefined) print(`Signing secret: ${receiver.secret}`);
      let last: string | null = null;
      try {
        for await (const event of follow(tidings, flags)) {
          await forwardEvent(event, receiver);
          last = event.id;
        }
      } finally {
        if (last !== null) note(`To continue after the last event: --after ${last}`);
      }
    },
  );

program
  .command("events")
  .description("changes in the workspace")
  .command("tail")
  .description("print events as they happen")
  .option("--types <types>", "only these types: 'message.received,contact.*'")
  .option("--after <event>", "start after this event", "now")
  .option("--json", "print one line of JSON per event")
  .action(async ({ json, ...flags }: FollowFlags & { json?: true }) => {
    stopOnSignal();
    for await (const event of follow(connect({ maxRetries: 0 }), flags))
      print(json ? toJson(event) : formatEvent(event));
  });

addSendMessage(program, connect);
addMediaUpload(program, connect);
addOperations(program, connect);

async function run(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** Prints the error, unless commander has printed it. */
function exitCodeOf(error: unknown): number {
  if (isStop(error)) return 0;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
  note(describeError(error));
  return error instanceof UsageError ? MISUSED : FAILED;
}

void run();
