// Webhook requests in the OpenAPI document.
import type { ZodOpenApiPathsObject } from "zod-openapi";

/** A request to webhooks; `component` is the schema of its body. */
export interface SentRequest {
  name: string;
  component: string;
  summary: string;
}

const text = (description: string, example: string) => ({
  required: true,
  description,
  schema: { type: "string" as const },
  example,
});

/** The headers of the Standard Webhooks specification. */
export const sentHeaders = {
  WebhookIdHeader: {
    name: "webhook-id",
    in: "header" as const,
    ...text("Id of the event or batch, the same in all attempts and replays.", "evt_01jdz0q1m8v6x3k2b9t4w5y7ra"),
  },
  WebhookTimestampHeader: {
    name: "webhook-timestamp",
    in: "header" as const,
    ...text(
      "Time of this attempt, in seconds since 1970. Reject requests that are older than five minutes.",
      "1764581400",
    ),
  },
  WebhookSignatureHeader: {
    name: "webhook-signature",
    in: "header" as const,
    ...text(
      "`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. During a rotation, one signature per secret, separated by spaces.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
  },
};

/** `answers`: the effect of each status that the receiver may return. */
export function describeSentRequests(
  requests: readonly SentRequest[],
  answers: Record<string, string>,
): ZodOpenApiPathsObject {
  const responses = Object.fromEntries(
    Object.entries(answers).map(([status, description]) => [status, { description }]),
  );
  return Object.fromEntries(
    requests.map(({ name, component, summary }) => [
      name,
      {
        post: {
          operationId: `event.${name}`,
          tags: ["Webhooks"],
          summary,
          security: [],
          parameters: Object.keys(sentHeaders).map((id) => ({ $ref: `#/components/parameters/${id}` })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: `#/components/schemas/${component}` } } },
          },
          responses,
        },
      },
    ]),
  );
}
