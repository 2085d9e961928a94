// Fields shared by the forms for new and existing API keys.
import type { FC } from "hono/jsx";
import * as z from "zod";
import { createApiKeyBody, updateApiKeyBody } from "../../../features/api-keys/api-keys.schemas.ts";
import type { ApiKey } from "../../../features/api-keys/api-keys.service.ts";
import { formatCount } from "../../kit/format.ts";
import { CheckField } from "../../kit/forms/choice-fields.tsx";
import { TextField } from "../../kit/forms/form-fields.tsx";

interface RateLimit {
  requests: number;
  windowSeconds: number;
}

/** `600 requests in 60 s` */
export const describeRateLimit = ({ requests, windowSeconds }: RateLimit): string =>
  `${formatCount(requests, "request")} in ${windowSeconds} s`;

const numberText = (value: number | null | undefined) => (typeof value === "number" ? String(value) : null);

/** `standard` is the plan's limit; null if the plan has no API. */
export const ApiKeyFields: FC<{ apiKey?: ApiKey; standard: RateLimit | null }> = ({ apiKey, standard }) => (
  <>
    <CheckField
      name="read_only"
      label="Read-only"
      help="The key can read everything and change nothing."
      checked={apiKey?.readOnly ?? false}
    />
    <TextField
      name="expires_at"
      label="Last day"
      type="date"
      help="The key expires at the end of this day (UTC). Leave empty for no expiry."
      value={typeof apiKey?.expiresAt === "number" ? new Date(apiKey.expiresAt).toISOString().slice(0, 10) : null}
    />
    <fieldset class="pair">
      <legend>Rate limit</legend>
      <p class="help">
        {standard === null
          ? "Your plan doesn't include the API, so calls fail until the plan changes. "
          : `Leave both empty for the plan's limit: ${describeRateLimit(standard)}. `}
        Fill in both or neither.
      </p>
      <TextField name="rate_limit.requests" label="Requests" inputmode="numeric" value={numberText(apiKey?.requests)} />
      <TextField
        name="rate_limit.window_seconds"
        label="in seconds"
        inputmode="numeric"
        value={numberText(apiKey?.windowSeconds)}
      />
    </fieldset>
  </>
);

/** The form has the last day of a key, which works until the day ends. */
const lastDay = z
  .string()
  .transform((day) => `${day}T23:59:59.999Z`)
  .pipe(createApiKeyBody.shape.expires_at.unwrap().unwrap())
  .nullable()
  .optional();

export const newApiKeyForm = createApiKeyBody.extend({ expires_at: lastDay });
export const apiKeyForm = updateApiKeyBody.extend({ expires_at: lastDay });
