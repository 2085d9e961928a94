import * as z from "zod";
import { type ErrorCode, errorCodes } from "../../shared/errors.ts";
import { pascalCase } from "../../shared/text/text.ts";

const none = z.null();

const fault = z
  .object({
    path: z
      .string()
      .meta({ description: "Location of the fault: `custom_fields.plan`, `query.limit`, `header.idempotency-key`." }),
    code: z.string().meta({ description: "Reason, for programs: `required`, `unknown_field`, `too_big` …" }),
    message: z.string().meta({ description: "Reason, for people." }),
  })
  .meta({ id: "Fault" });

const excluded = z.record(z.string(), z.int()).meta({ description: "Number of excluded contacts by reason." });

const conflict = z
  .looseObject({
    field: z.string().optional(),
    contact_id: z.string().optional(),
    recipient_count: z
      .int()
      .optional()
      .meta({ description: "Number of contacts that the campaign can currently reach." }),
    excluded: excluded.optional(),
  })
  .meta({ description: "Conflicting field, and the id of the other record." });

const state = z.looseObject({ status: z.string().optional() }).meta({ description: "Current state of the record." });

const details = {
  invalid_json: none,
  validation_failed: z.array(fault),
  unauthorized: none,
  plan_required: none,
  forbidden: none,
  not_found: z
    .object({ merged_into: z.string() })
    .nullable()
    .meta({ description: "Id to use instead, if the record was merged into another record." }),
  method_not_allowed: none,
  conflict,
  invalid_state: state,
  cursor_expired: z.object({ oldest: z.string() }).meta({ description: "Id of the oldest stored event." }),
  precondition_failed: z.object({ revision: z.int().meta({ description: "Current revision of the record." }) }),
  payload_too_large: none,
  range_not_satisfiable: z.object({ bytes: z.int().meta({ description: "Size of the file." }) }),
  unsupported_media_type: none,
  window_closed: z.object({ last_inbound_at: z.iso.datetime().nullable(), expired_at: z.iso.datetime().nullable() }),
  template_not_approved: z.object({ status: z.string() }),
  channel_mismatch: z
    .object({ missing: z.array(z.string()) })
    .nullable()
    .meta({ description: "Parts of the template that Tidings does not support yet, if these caused the error." }),
  missing_variable: z.object({ variables: z.array(z.string()) }),
  no_recipients: z.object({ excluded }),
  unsubscribed: z.looseObject({
    contact_id: z.string().nullable().meta({ description: "Null if no contact has this number yet." }),
    reason: z
      .literal("marketing_opt_out")
      .optional()
      .meta({ description: "Present if the person opted out of marketing only." }),
  }),
  unsupported_message: z.object({ type: z.string(), provider: z.string() }),
  unreachable: z.object({ contact_id: z.string().nullable() }),
  media_invalid: z.object({
    reason: z.string().meta({
      description:
        "`wrong_type`, `too_large`, `empty`, `wrong_length`, `not_fetched` or `not_stored`; for a template's example also `app_id_missing`.",
    }),
    limit: z.int().optional().meta({ description: "Maximum size in bytes." }),
  }),
  idempotency_key_reused: none,
  rate_limited: none,
  internal_error: none,
  provider_error: z.object({ provider: z.string(), provider_code: z.string().nullable(), detail: z.string() }),
  unavailable: none,
} as const satisfies Record<ErrorCode, z.ZodType>;

const refusalOf = (code: ErrorCode) =>
  z
    .object({
      code: z.literal(code),
      message: z.string().meta({ description: "Message for people: what happened, and what to do." }),
      details: details[code],
    })
    .meta({ id: `${pascalCase(code).replace(/Error$/, "")}Refusal` });

const [first, ...others] = errorCodes;

const refusal = z.discriminatedUnion("code", [refusalOf(first), ...others.map(refusalOf)]).meta({ id: "Refusal" });

export const errorBody = z
  .object({
    success: z.literal(false),
    error: refusal,
    request_id: z.string().meta({ description: "The response's `X-Request-Id`. Include this id in reports." }),
  })
  .meta({ id: "ErrorAnswer" });
