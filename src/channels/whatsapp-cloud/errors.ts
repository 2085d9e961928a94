// Source: developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
import * as z from "zod";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import type { UpstreamAnswer } from "../../shared/network/upstream.ts";
import { errorNotice, excerpt, messageError, outcomeOfStatus, toProviderError, withDelay } from "../answers.ts";
import { type RetryScope, type SendOutcome, ProviderError } from "../channel.ts";
import type { MessageError, MessageErrorCode, ConnectionNotice } from "../channel-events.ts";
import { lenientText, lenientObject } from "../provider-input.ts";
import { providerFacts } from "../providers.ts";

interface Rule {
  code: MessageErrorCode;
  /**
   * `retry` means that Tidings sends the message again later. `lost` means that Meta may have sent it. If `kind` is
   * missing, the message has failed and Tidings does not send it again.
   */
  kind?: "retry" | "lost";
  scope?: RetryScope;
  afterMs?: number | undefined;
  isConnectionError?: true;
  pauses?: "campaign";
  stopsMarketing?: true;
}

const groups: [codes: number[], rule: Rule][] = [
  // Tidings retries after these errors, because Meta did not accept the message. The reason is an outage, maintenance
  // or too many requests.
  [[2], { code: "provider_unreachable", kind: "retry" }],
  [[131057], { code: "provider_unreachable", kind: "retry", scope: "connection", afterMs: MINUTE_MS }],
  [[4, 613, 80007], { code: "rate_limited", kind: "retry", scope: "connection", afterMs: MINUTE_MS }],
  [[130429], { code: "rate_limited", kind: "retry", scope: "connection" }],
  [
    [131056],
    {
      code: "rate_limited",
      kind: "retry",
      scope: "recipient",
      afterMs: providerFacts.whatsapp_cloud.personRule?.everyMs,
    },
  ],
  [[131000, 131016, 133004], { code: "provider_unreachable", kind: "lost" }],
  [
    [0, 3, 10, 33, 104, 190, 368, 131005, 131031, 131037, 131042, 131045, 133010],
    { code: "account_blocked", isConnectionError: true },
  ],
  [[131021, 131030], { code: "invalid_recipient" }],
  [[131026, 130472, 130497], { code: "undeliverable" }],
  // Meta limits how many marketing messages a person receives from all businesses together.
  [[131049], { code: "frequency_capped" }],
  [[131050], { code: "unsubscribed", stopsMarketing: true }],
  [[131047], { code: "window_closed" }],
  [[131051, 131062], { code: "unsupported_message" }],
  [[131052, 131053], { code: "media_invalid" }],
  [[131048], { code: "rate_limited", pauses: "campaign" }],
  [[132015, 132016], { code: "template_rejected", pauses: "campaign" }],
  [[132000, 132001, 132005, 132007, 132012, 132018, 132068, 132069], { code: "template_rejected" }],
  // Meta's endpoint for marketing messages returns these errors if it cannot send the template. A retry can help only
  // after 134101, because that means that Meta has not yet synced the template.
  [[134100, 134102], { code: "template_rejected", pauses: "campaign" }],
  [[134101], { code: "template_rejected", kind: "retry", afterMs: 2 * MINUTE_MS }],
];
const rules = new Map(groups.flatMap(([codes, rule]) => codes.map((code) => [code, rule] as const)));

/** In the Graph API, codes from 200 to 299 mean missing permissions. */
const ruleOf = (code: number): Rule =>
  rules.get(code) ??
  (code >= 200 && code <= 299 ? { code: "account_blocked", isConnectionError: true } : { code: "provider_rejected" });

const UNAUTHORIZED = 401;

/**
 * True if Meta's code has no rule and the HTTP status shows the cause more clearly, for example 429 for too many
 * requests.
 */
const isLessSpecific = (code: number, status: number) =>
  !rules.has(code) && (status === UNAUTHORIZED || status === 429 || status >= 500);

const graphError = z.object({
  code: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .nullable()
    .catch(null),
  message: lenientText,
  title: lenientText,
  error_user_title: lenientText,
  error_user_msg: lenientText,
  error_subcode: z.int().nullish().catch(null),
  error_data: lenientObject({ details: z.string().nullish() }),
});

type GraphError = z.infer<typeof graphError>;
type CodedError = GraphError & { code: number };

const hasCode = (error: GraphError | undefined): error is CodedError => typeof error?.code === "number";

const textOf = ({ error_data, error_user_msg, message, title }: GraphError): string =>
  [message ?? title, error_data?.details ?? error_user_msg]
    .filter((part, index, parts) => typeof part === "string" && part !== "" && parts.indexOf(part) === index)
    .join(" – ");

const messageErrorOf = (error: CodedError): MessageError =>
  messageError(ruleOf(error.code).code, textOf(error) || "The provider gave no reason.", String(error.code));

export function errorOfStatus(
  errors: readonly unknown[],
): { error: MessageError; notice: ConnectionNotice | null; stopsMarketing: boolean } | null {
  const known = graphError.safeParse(errors[0]).data;
  if (!hasCode(known)) return null;
  const error = messageErrorOf(known);
  const { isConnectionError, stopsMarketing = false } = ruleOf(known.code);
  return { error, notice: isConnectionError ? errorNotice(error.message) : null, stopsMarketing };
}

const failure = z.object({ error: graphError });

function outcomeByStatus(answer: UpstreamAnswer, { message, providerCode }: MessageError): SendOutcome {
  const outcome = outcomeOfStatus(answer, message);
  return outcome.kind === "accepted" ? outcome : { ...outcome, error: { ...outcome.error, providerCode } };
}

export function cloudOutcomeOfFailure(answer: UpstreamAnswer): SendOutcome {
  const known = failure.safeParse(answer.json).data?.error;
  if (!hasCode(known)) return outcomeOfStatus(answer, "");
  const error = messageErrorOf(known);
  if (isLessSpecific(known.code, answer.status)) return outcomeByStatus(answer, error);
  const { code: _, kind = "refused", scope, afterMs, isConnectionError, ...effects } = ruleOf(known.code);
  if (kind === "lost") return { kind, error };
  if (kind === "retry") return { kind, error, ...(scope && { scope }), ...withDelay(answer.headers, afterMs) };
  return { kind, error, ...effects, ...(isConnectionError && { notice: errorNotice(error.message) }) };
}

/** Builds the error that the user sees. If Meta's code has no rule, the error depends on the HTTP status. */
export function cloudProviderErrorOf(answer: UpstreamAnswer): ProviderError {
  const known = failure.safeParse(answer.json).data?.error;
  if (!hasCode(known)) {
    const detail = known === undefined ? "" : textOf(known);
    return toProviderError(outcomeOfStatus(answer, detail), String(answer.status));
  }
  const detail = excerpt(textOf(known) || `The provider returned ${answer.status}.`);
  const isConnectionError =
    ruleOf(known.code).isConnectionError === true ||
    (answer.status === UNAUTHORIZED && isLessSpecific(known.code, answer.status));
  return new ProviderError(detail, String(known.code), isConnectionError ? errorNotice(detail) : null);
}

export function isObjectGone({ status, json }: UpstreamAnswer): boolean {
  const known = failure.safeParse(json).data?.error;
  return status === 404 || status === 410 || (known?.code === 100 && known.error_subcode === 33);
}

const NO_TEMPLATE = /template.*(not found|not exist|no longer exist)|no .*message templates?/i;

export function isTemplateGone({ json }: UpstreamAnswer): boolean {
  const known = failure.safeParse(json).data?.error;
  const words = [known?.error_user_title, known?.error_user_msg].join(" ");
  return known?.code === 132001 || (known?.code === 100 && NO_TEMPLATE.test(words));
}

const NAME_TAKEN: readonly unknown[] = [2388023, 2388024];

/** Compares codes and not texts, because Meta writes the texts in the language of the account. */
export const isTemplateNameTaken = ({ json }: UpstreamAnswer): boolean =>
  NAME_TAKEN.includes(failure.safeParse(json).data?.error.error_subcode);
