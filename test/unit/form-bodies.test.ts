import fc from "fast-check";
import * as z from "zod";
import { describe, expect, it } from "vitest";
import { formBody, formFields } from "../../src/console/kit/forms/form-body.ts";
import { SentForm } from "../../src/console/kit/forms/forms.ts";
import { createApiKeyBody, updateApiKeyBody } from "../../src/features/api-keys/api-keys.schemas.ts";
import { createCannedReplyBody } from "../../src/features/canned-replies/canned-replies.schemas.ts";
import { createConnectionBody, updateConnectionBody } from "../../src/features/connections/connections.schemas.ts";
import { createCustomFieldBody } from "../../src/features/custom-fields/custom-fields.schemas.ts";
import { createTagBody, updateTagBody } from "../../src/features/tags/tags.schemas.ts";
import { createWebhookBody, updateWebhookBody } from "../../src/features/webhooks/webhooks.schemas.ts";
import { updateWorkspaceBody } from "../../src/features/workspaces/workspaces.schemas.ts";

const text = fc.string({ minLength: 1, unit: "grapheme" });
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0),
);
const texts = fc.array(text, { minLength: 1 });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const rateLimit = fc.record({ requests: number, window_seconds: number });
const batch = fc.record({ max_events: number, max_wait_seconds: number });
const config = fc.dictionary(fc.constantFrom("session", "base_url", "app_id"), text, { noNullPrototype: true });

const apiKey = { name: text, expires_at: orNull(text), read_only: fc.boolean(), rate_limit: orNull(rateLimit) };
const connection = { name: text, messages_per_second: number, is_default: fc.boolean() };
const webhook = {
  url: text,
  description: orNull(text),
  types: texts,
  campaigns: text,
  connection_ids: orNull(texts),
  batch: orNull(batch),
};

const settings: [name: string, schema: z.ZodType, fields: Record<string, fc.Arbitrary<unknown>>, required: string[]][] =
  [
    ["a new API key", createApiKeyBody, { ...apiKey, connection_id: text }, []],
    ["an API key", updateApiKeyBody, apiKey, []],
    ["a canned reply", createCannedReplyBody, { shortcut: text, body: text }, []],
    ["a new connection", createConnectionBody, { ...connection, channel: text, provider: text, config }, ["config"]],
    ["a connection", updateConnectionBody, connection, []],
    ["a custom field", createCustomFieldBody, { field_key: text, label: text, type: text, options: orNull(texts) }, []],
    ["a new tag", createTagBody, { name: text, color: text }, []],
    ["a tag", updateTagBody, { name: text, color: text }, []],
    ["a new webhook", createWebhookBody, { ...webhook, start_after: text }, []],
    ["a webhook", updateWebhookBody, webhook, []],
    [
      "a workspace",
      updateWorkspaceBody,
      { name: text, plan: text, time_zone: text, first_steps_hidden: fc.boolean() },
      [],
    ],
  ];

function formOf(fields: [name: string, text: string][]): SentForm {
  const byName = Map.groupBy(fields, ([name]) => name);
  return new SentForm(new Map(Array.from(byName, ([name, all]) => [name, all.map(([, value]) => value)])));
}

describe("Form bodies", () => {
  it.each(settings)("The fields of a form convert back to the same body: %s", (_, schema, fields, requiredKeys) => {
    const bodies = fc.record(fields, { requiredKeys, noNullPrototype: true });
    fc.assert(
      fc.property(bodies, (body) => {
        expect(formBody(schema, formOf(formFields(body)))).toEqual(body);
      }),
    );
  });

  const body = z.strictObject({
    name: z.string(),
    note: z.string().nullable().optional(),
    color: z.string().optional(),
    count: z.number().default(1),
    tags: z.array(z.string()).optional(),
    limit: z.strictObject({ most: z.number(), seconds: z.number() }).nullable(),
  });
  const empty: [string, string][] = ["name", "note", "color", "count", "tags", "limit.most"].map((name) => [name, ""]);

  it.each([
    ["null or no value for an empty field", empty, false, { note: null, limit: null }],
    [
      "an empty value in a part of a body",
      empty,
      true,
      { name: "", note: null, color: "", count: "", tags: [], limit: null },
    ],
    ["a text that is not a number unchanged", [["count", "many"]], false, { count: "many" }],
    ["a part of a group", [["limit.most", "2"]], false, { limit: { most: 2 } }],
    [
      "unknown fields unless they are empty",
      [
        ["plan", "x"],
        ["size", ""],
      ],
      false,
      { plan: "x" },
    ],
  ] satisfies [string, [string, string][], boolean, object][])(
    "The body of a form has %s",
    (_, fields, isPartial, expected) => {
      expect(formBody(body, formOf(fields), isPartial)).toEqual(expected);
    },
  );
});
