// The reasons why a direct message is refused. The first reason that applies is returned. Campaigns use
// `exclusionCases` instead. Raw SQL, because the statement that inserts a message also checks these reasons.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { refusedOutcome } from "../../channels/answers.ts";
import type { SendOutcome } from "../../channels/channel.ts";
import { providersThatSend } from "../../channels/providers.ts";
import { columns, subqueryColumns } from "../../db/columns.ts";
import { media, messages } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { fromJson } from "../../shared/text/json.ts";
import { isoOrNull } from "../../shared/time/iso-times.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { isAcceptedFile, isVisible } from "../media/media-states.sql.ts";
import { unfitFileError } from "../media/media.kinds.ts";
import { customerServiceWindowEnd, customerServiceWindowStart } from "./messages.customer-service-window.ts";
import { isHiddenReaction } from "./messages.sql.ts";
import { state } from "./messages.states.ts";
import { type NewMessage, storedMediaOf } from "./send/new-message.ts";
import { isOtherAccount, isUnsubscribed, type OptOutColumns } from "./unsubscribed.sql.ts";

const f = columns(media, "f");
const r = columns(messages, "r");

type Scope = Pick<Ctx, "workspace" | "now">;

export interface TargetColumns extends OptOutColumns {
  seq: SQL;
  connection_id: SQL;
  connection_status: SQL;
  channel: SQL;
  provider: SQL;
  has_malformed_user_id: SQL;
  marketing_opted_out_at: SQL;
}

export const isOwnFile = (ctx: Scope, id: string): SQL =>
  sql`${f.id} = ${id} AND ${f.workspaceId} = ${ctx.workspace.id} AND ${isVisible(f)}`;

const reactsTo = (message: NewMessage | null, ...states: number[]): SQL | null =>
  message?.content?.type !== "reaction"
    ? null
    : sql`EXISTS (SELECT 1 FROM messages r WHERE ${r.id} = ${message.replyTo ?? null} AND ${r.providerMessageId} IS NULL
        AND ${r.state} IN (${sql.join(states, sql`, `)}))`;

const neverSentError = (status: "failed" | "cancelled") =>
  new AppError("invalid_state", "The message was never sent, so it cannot receive a reaction.", { status });

export const sendCheck = z.object({
  refusal: z.string().nullable(),
  contact_id: z.string().nullable(),
  connection_status: z.string().nullable(),
  /**
   * Null if the person has never written. Also null if the person last wrote from another number or id, because that
   * message opens no window for this address.
   */
  last_inbound_at: z.number().nullable(),
  provider: z.string().nullable(),
  file: fromJson(
    z.object({ mime_type: z.string().nullable(), bytes: z.number().nullable(), status: z.string() }),
  ).nullable(),
});

export type SendCheck = z.infer<typeof sendCheck>;

interface Refusal {
  reason: string;
  /**
   * Null if the reason cannot apply to this message. A claim passes no message, because the content was checked when
   * the message was accepted.
   */
  condition(target: TargetColumns, message: NewMessage | null, ctx: Scope): SQL | null;
  error(check: SendCheck, message: NewMessage): AppError;
  /**
   * The outcome of an accepted message, if the reason applies when it is claimed. A reason without an outcome is
   * checked only before a message is accepted.
   */
  outcome?: SendOutcome;
}

const refusals: readonly Refusal[] = [
  {
    reason: "malformed_user_id",
    condition: ({ has_malformed_user_id }) => has_malformed_user_id,
    error: () =>
      invalid({
        path: "user_id",
        code: "invalid_format",
        message: "Must be a user id of the connection's provider.",
      }),
  },
  {
    reason: "unknown_message",
    condition: ({ seq, connection_id }, message, { workspace }) =>
      (message?.replyTo ?? null) === null
        ? null
        : sql`NOT EXISTS (SELECT 1 FROM messages r WHERE ${r.id} = ${message?.replyTo} AND ${r.workspaceId} = ${workspace.id}
            AND ${r.connectionId} = ${connection_id} AND ${currentContactSeq(r.contactSeq)} = ${seq}
            AND NOT ${isHiddenReaction(r)})`,
    error: () => notFound("message in this conversation"),
  },
  {
    reason: "unknown_media",
    condition(_, message, ctx) {
      const file = storedMediaOf(message);
      return file === null ? null : sql`NOT EXISTS (SELECT 1 FROM media f WHERE ${isOwnFile(ctx, file.id)})`;
    },
    error: () => notFound("file"),
  },
  {
    reason: "connection_inactive",
    condition: ({ connection_status }) => sql`${connection_status} IS NOT 'active'`,
    error: ({ connection_status }) =>
      new AppError("invalid_state", "The connection cannot send. Test the connection.", {
        status: connection_status ?? "deleted",
      }),
    // Retries the message, because the connection can become active again.
    outcome: {
      kind: "retry",
      error: { code: "provider_unreachable", message: "The connection is not active.", providerCode: null },
    },
  },
  {
    reason: "no_address",
    condition: ({ address }) => sql`${address} IS NULL`,
    error: ({ contact_id }, { template }) =>
      new AppError(
        "unreachable",
        template?.isAuthentication === true
          ? "Login codes require a phone number, and this person's number is unknown."
          : "This contact has neither a number nor an id on this connection.",
        { contact_id },
      ),
    outcome: refusedOutcome("invalid_recipient", "The contact has no address on this connection."),
  },
  {
    reason: "unsubscribed",
    condition: (target, _, ctx) => isUnsubscribed(target, ctx.now()),
    error: ({ contact_id }) => new AppError("unsubscribed", "This person has unsubscribed.", { contact_id }),
    outcome: refusedOutcome("unsubscribed", "The person unsubscribed before the message was sent."),
  },
  {
    reason: "marketing_opt_out",
    condition: ({ marketing_opted_out_at }) => sql`${marketing_opted_out_at} IS NOT NULL`,
    error: ({ contact_id }) =>
      new AppError(
        "unsubscribed",
        "This person opted out of marketing. They still receive replies and templates of other categories.",
        { contact_id, reason: "marketing_opt_out" },
      ),
    outcome: refusedOutcome("unsubscribed", "The person opted out of marketing before this message was sent."),
  },
  {
    reason: "window_closed",
    condition: (t, _, ctx) => sql`${t.channel} = 'official' AND ${t.is_text}
      AND (coalesce(${t.last_inbound_at}, 0) <= ${customerServiceWindowStart(ctx.now())} OR ${isOtherAccount(t)})`,
    error: ({ last_inbound_at }) =>
      new AppError(
        "window_closed",
        last_inbound_at === null
          ? "This person has not written to this connection yet. Send a template."
          : "More than 24 hours have passed since this person last wrote. Send a template.",
        {
          last_inbound_at: isoOrNull(last_inbound_at),
          expired_at: isoOrNull(last_inbound_at === null ? null : customerServiceWindowEnd(last_inbound_at)),
        },
      ),
    outcome: refusedOutcome("window_closed", "The 24 hour window closed before the message was sent."),
  },
  {
    reason: "unsupported_message",
    condition: ({ provider }, message) =>
      message?.content === undefined
        ? null
        : sql`${provider} NOT IN (SELECT e.value FROM json_each(${JSON.stringify(providersThatSend(message.content))}) e)`,
    error: ({ provider }, { content }) =>
      new AppError("unsupported_message", `The connection's provider cannot send ${content?.type ?? "this"}.`, {
        type: content?.type ?? null,
        provider,
      }),
  },
  {
    reason: "media_invalid",
    condition(_, message, ctx) {
      const file = storedMediaOf(message);
      if (file === null) return null;
      const isAccepted = sql`${isOwnFile(ctx, file.id)} AND ${isAcceptedFile(f, file.type)}`;
      return sql`NOT EXISTS (SELECT 1 FROM media f WHERE ${isAccepted})`;
    },
    error: ({ file }, message) => unfitFileError(storedMediaOf(message)?.type, file),
  },
  {
    reason: "reacts_to_failed",
    condition: (_, message) => reactsTo(message, state.failed, state.skipped),
    error: () => neverSentError("failed"),
  },
  {
    reason: "reacts_to_cancelled",
    condition: (_, message) => reactsTo(message, state.cancelled),
    error: () => neverSentError("cancelled"),
  },
];

interface CheckedSelect {
  select: SQL;
  target: TargetColumns;
  from: SQL;
  message: NewMessage | null;
}

export function selectRefusal(ctx: Scope, { select, target, from, message }: CheckedSelect): SQL {
  const { list, names } = subqueryColumns("t", target);
  const cases = refusals.flatMap(({ reason, condition }) => {
    const isRefused = condition(names, message, ctx);
    return isRefused === null ? [] : [sql`WHEN ${isRefused} THEN ${sql.raw(`'${reason}'`)}`];
  });
  return sql`SELECT t.*, CASE ${sql.join(cases, sql` `)} END AS refusal FROM (SELECT ${select}, ${list} FROM ${from}) t`;
}

function refusalFor(reason: string | null): Refusal {
  const refusal = refusals.find((each) => each.reason === reason);
  if (refusal === undefined) throw new Error("The message was not queued, but no known reason matches.");
  return refusal;
}

export const refusalError = (check: SendCheck, message: NewMessage): AppError =>
  refusalFor(check.refusal).error(check, message);

export function refusalOutcome(reason: string): SendOutcome {
  const { outcome } = refusalFor(reason);
  if (outcome === undefined) throw new Error(`A claim was refused for ${reason}.`);
  return outcome;
}
