// The settings of an API key, in the form of a new one and of one that is there.
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

/** `standard` is the limit of the workspace's plan; null where the plan has no API. */
export const ApiKeyFields: FC<{ apiKey?: ApiKey; standard: RateLimit | null }> = ({ apiKey, standard }) => (
  <>
    <CheckField
      name="read_only"
      label="Read-only"
      help="It can look at everything and change nothing."
      checked={apiKey?.readOnly ?? false}
    />
    <TextField
      name="expires_at"
      label="Last day"
      type="date"
      help="The key works until this day ends (UTC). Empty: it does not expire."
      value={typeof apiKey?.expiresAt === "number" ? new Date(apiKey.expiresAt).toISOString().slice(0, 10) : null}
    />
    <fieldset class="pair">
      <legend>Rate limit</legend>
      <p class="help">
        {standard === null
          ? "The plan has no API, so calls are refused until it is changed. "
          : `Leave both empty to use the limit of the plan: ${describeRateLimit(standard)}. `}
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
