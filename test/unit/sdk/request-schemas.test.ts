import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const operation = z.object({
  operationId: z.string(),
  requestBody: z
    .object({ content: z.object({ "application/json": z.object({ schema: z.unknown(), example: z.unknown() }) }) })
    .optional(),
});

// The validator expects references to `$defs` instead of OpenAPI's components.
const text = readFileSync("sdk/openapi.json", "utf8").replaceAll("#/components/schemas/", "api#/$defs/");
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(JSON.parse(text));

const validator = new Ajv2020({ strict: true, validateFormats: false, allowUnionTypes: true });
validator.addVocabulary(["discriminator", "example"]);
validator.addSchema({ $defs: document.components.schemas }, "api");

const bodies = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId, requestBody }) =>
    requestBody === undefined ? [] : [{ operationId, ...requestBody.content["application/json"] }],
  ),
);

const accepts = (component: string, body: object) => validator.compile({ $ref: `api#/$defs/${component}` })(body);

describe("Request bodies", () => {
  it("Every request schema of the OpenAPI document compiles under a strict validator and accepts its example", () => {
    expect(bodies.length).toBeGreaterThan(40);
    for (const { operationId, schema, example } of bodies) {
      const validate = validator.compile(z.record(z.string(), z.unknown()).parse(schema));
      expect([validate(example), validate.errors], operationId).toEqual([true, null]);
    }
  });

  it.each<[component: string, accepted: object[], refused: object[]]>([
    [
      "MessagesSendRequest",
      [
        { to: "+1", text: "a" },
        { contact_id: "ct_1", image: { media_id: "med_1" } },
      ],
      [
        {},
        { to: "+1" },
        { text: "a" },
        { to: "+1", contact_id: "ct_1", text: "a" },
        { to: "+1", text: "a", image: { media_id: "med_1" } },
        { to: "+1", image: {} },
        { to: "+1", text: "a", tags: [] },
      ],
    ],
    ["ConversationsReplyRequest", [{ text: "a" }], [{}, { text: "a", sticker: { media_id: "med_1" } }]],
    ["TemplatesSendRequest", [{ user_id: "1" }, { to: "+1", header: { text: "a" } }], [{}, { to: "+1", header: {} }]],
    ["TemplatesCreateRequest", [{ name: "a", body: "b" }], [{ name: "a" }, { name: "a", language: "en" }]],
    ["ContactsUpsertRequest", [{ phone: "+1" }, { phone: null, email: "a@b.cd" }], [{ name: "a" }, { phone: null }]],
    ["ContactsUpsertBatchRequest", [{ contacts: [{ phone: "+1" }] }], [{ contacts: [{ name: "a" }] }]],
    [
      "ContactsBulkUpdateRequest",
      [
        { ids: ["ct_1"], action: "archive" },
        { filter: { tag: "a" }, action: "add_tags", tags: ["b"] },
      ],
      [
        { action: "archive" },
        { filter: {}, action: "archive" },
        { ids: ["ct_1"], action: "set" },
        { ids: ["ct_1"], filter: { tag: "a" }, action: "archive" },
      ],
    ],
    ["ConversationsUpdateRequest", [{ assignee_id: null }], [{}]],
    ["ConversationsBulkUpdateRequest", [{ ids: ["cnv_1"], labels: [] }], [{ ids: ["cnv_1"] }]],
    [
      "CustomFieldsCreateRequest",
      [
        { field_key: "a", label: "A", type: "text" },
        { field_key: "a", label: "A", type: "select", options: ["b"] },
      ],
      [
        { field_key: "a", label: "A", type: "select" },
        { field_key: "a", label: "A", type: "text", options: ["b"] },
      ],
    ],
    [
      "ManageConnectionsCreateRequest",
      [{ name: "a", channel: "official", provider: "sandbox", config: {} }],
      [
        { name: "a", channel: "unofficial", provider: "waha", config: {} },
        { name: "a", channel: "unofficial", provider: "whatsapp_cloud", config: {} },
      ],
    ],
    ["ManageConnectionsSimulateRequest", [{ from: "+1", text: "a" }], [{ from: "+1" }]],
    ["MediaUploadRequest", [{ url: "https://a.bc" }], [{}]],
  ])(
    "The OpenAPI schema of %s accepts complete bodies, and rejects incomplete bodies",
    (component, accepted, refused) => {
      for (const body of accepted) expect(accepts(component, body), JSON.stringify(body)).toBe(true);
      for (const body of refused) expect(accepts(component, body), JSON.stringify(body)).toBe(false);
    },
  );
});
