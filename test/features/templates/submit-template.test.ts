import { describe, expect, it } from "vitest";
import { graphError } from "../../support/providers/graph-error.ts";
import { APP_ID, CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report } from "../../support/providers/linked.ts";
import { png, uploadFile } from "../../support/media.ts";
import { logged } from "../../support/read-log.ts";
import { costOf, onShard } from "../../support/storage.ts";
import {
  draftOf,
  nextSync,
  submittedComponents,
  submitTemplate,
  syncTemplates,
  templatesOf,
} from "../../support/submissions.ts";
import { refusal } from "../../support/templates.ts";
import { World } from "../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const calls = (method = "POST") => cloud.requests.filter((each) => each.method === method).length;

describe("Template submissions", () => {
  it("A submitted template is stored with the provider's status, in two round trips", async () => {
    const customer = await linkedCustomer(cloud);
    const { events } = await logged(customer, async () => {
      const answer = await submitTemplate(customer);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const at = new Date().toISOString();
      expect(answer.body.template).toEqual({
        id: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
        name: "order_update",
        body: "Hi {{1}}, it comes on {{2}}.",
        status: "PENDING",
        source: "external",
        connection_id: customer.connectionId,
        language: "en_US",
        category: "UTILITY",
        variables: ["1", "2", "3", "4"],
        components: submittedComponents,
        quality: null,
        rejection_reason: null,
        sendable: false,
        missing: [],
        created_at: at,
        updated_at: at,
      });
      expect(costOf(answer)).toMatchObject({ trips: 2 });
      expect(await templatesOf(customer)).toEqual([answer.body.template]);
    });
    const field = (value: unknown) => [null, value];
    expect(events).toEqual([
      [
        "template.created",
        expect.stringMatching(/^tpl_/),
        {
          name: field("order_update"),
          body: field("Hi {{1}}, it comes on {{2}}."),
          status: field("PENDING"),
          source: field("external"),
          connection_id: field(customer.connectionId),
          language: field("en_US"),
          category: field("UTILITY"),
          variables: field(["1", "2", "3", "4"]),
          components: field(submittedComponents),
        },
      ],
    ]);
    expect(cloud.templates).toMatchObject([
      { name: "order_update", parameter_format: "POSITIONAL", components: submittedComponents },
    ]);
    expect(await nextSync(customer)).toBe(60);
  });

  it("Provider reports change a submitted template's status, quality and category, each with an event", async () => {
    const customer = await linkedCustomer(cloud);
    const { template } = (await submitTemplate(customer)).body;
    const named = {
      message_template_id: 594_425_479_261_001,
      message_template_name: "order_update",
      message_template_language: "en_US",
    };
    const tell = (field: string, value: object) =>
      report(customer, cloud.deliver({ field, value: { ...named, ...value } }));
    const { events } = await logged(customer, async () => {
      await tell("message_template_status_update", { event: "APPROVED", reason: "NONE" });
      await tell("message_template_quality_update", { previous_quality_score: "UNKNOWN", new_quality_score: "GREEN" });
      await tell("template_category_update", { previous_category: "UTILITY", new_category: "MARKETING" });
      await tell("message_template_status_update", { event: "REJECTED", reason: "SPAM" });
    });
    expect(events).toEqual([
      ["template.status_changed", template.id, { status: ["PENDING", "APPROVED"] }],
      ["template.quality_changed", template.id, { quality: [null, "GREEN"] }],
      ["template.updated", template.id, { category: ["UTILITY", "MARKETING"] }],
      ["template.status_changed", template.id, { status: ["APPROVED", "REJECTED"], rejection_reason: [null, "SPAM"] }],
    ]);
    expect((await customer.call("GET", `/templates/${template.id}`)).body.template).toMatchObject({
      status: "REJECTED",
      quality: "GREEN",
      category: "MARKETING",
      rejection_reason: "SPAM",
    });
  });

  it("A template submission uploads the header's file as the example, and does not store the provider's handle for the upload", async () => {
    const customer = await linkedCustomer(cloud, new World(), { app_id: APP_ID });
    const { id } = (await uploadFile(customer, png(), "image/png", { query: "?filename=sale.png" })).body.media;
    const header = { type: "HEADER", format: "IMAGE", example: { media_id: id } };
    const answer = await submitTemplate(customer, { components: [header, { type: "BODY", text: "Look!" }] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(cloud.templates).toMatchObject([
      { components: [{ format: "IMAGE", example: { header_handle: ["4::aW1hZ2UvcG5n"] } }, { text: "Look!" }] },
    ]);
    expect(answer.body.template).toMatchObject({
      components: [
        { type: "HEADER", format: "IMAGE" },
        { type: "BODY", text: "Look!" },
      ],
      missing: ["header.image"],
    });
    expect(answer.body.template.components[0]).not.toHaveProperty("example");
    expect((await syncTemplates(customer)).body).toMatchObject({ created: 0, updated: 0, removed: 0 });
  });

  it("A template submission rejects files of a type that its headers do not accept, and does not call the provider", async () => {
    const customer = await linkedCustomer(cloud);
    const stranger = await customer.world.customer();
    const { id } = (await uploadFile(customer, png(), "image/png")).body.media;
    const foreign = (await uploadFile(stranger, png(), "image/png")).body.media.id;
    const withFile = (format: string, example: object) =>
      refusal(
        submitTemplate(customer, {
          components: [
            { type: "HEADER", format, example },
            { type: "BODY", text: "Look!" },
          ],
        }),
      );
    expect(await withFile("IMAGE", { media_id: id })).toEqual([422, "media_invalid", { reason: "app_id_missing" }]);
    expect(await withFile("VIDEO", { media_id: id })).toEqual([422, "media_invalid", { reason: "wrong_type" }]);
    expect(await withFile("IMAGE", { media_id: foreign })).toEqual([404, "not_found", null]);
    expect(await withFile("IMAGE", { media_id: "med_unknown" })).toEqual([404, "not_found", null]);
    expect(cloud.requests).toEqual([]);
    expect(await withFile("IMAGE", { header_handle: ["4::unknown"] })).toMatchObject([502, "provider_error", {}]);
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("A template submission is rejected if the connection has no external templates, has an error or belongs to another workspace", async () => {
    const customer = await linkedCustomer(cloud);
    const stranger = await linkedCustomer(cloud);
    const { connections } = (await customer.manage("GET", "/connections")).body;
    const local = connections.find(({ channel }: { channel: string }) => channel === "unofficial").id;
    expect(await refusal(submitTemplate(customer, { connection_id: local }))).toEqual([422, "channel_mismatch", null]);
    for (const connection_id of [stranger.connectionId, "conn_unknown"])
      expect(await refusal(submitTemplate(customer, { connection_id }))).toEqual([404, "not_found", null]);
    await onShard(customer, "UPDATE connections SET status = 'error' WHERE id = ?", customer.connectionId);
    expect(await refusal(submitTemplate(customer))).toEqual([409, "invalid_state", { status: "error" }]);
    expect(cloud.requests).toEqual([]);
  });

  it("A template submission rejects a name that exists in its language, with the existing template's id", async () => {
    const customer = await linkedCustomer(cloud);
    const { template } = (await submitTemplate(customer)).body;
    expect(await refusal(submitTemplate(customer))).toEqual([
      409,
      "conflict",
      { field: "name", template_id: template.id },
    ]);
    expect((await submitTemplate(customer, { language: "de" })).status).toBe(201);
    expect(calls()).toBe(2);
  });

  it("A template submission finds an existing template with the same name that only the provider has", async () => {
    const customer = await linkedCustomer(cloud);
    const body = { type: "BODY", text: "Made elsewhere" };
    cloud.templates = [{ ...draftOf(customer), id: "1", status: "APPROVED", components: [body] }];
    const [status, code, details] = await refusal(submitTemplate(customer));
    const [held] = await templatesOf(customer);
    expect(held).toMatchObject({ body: "Made elsewhere", status: "APPROVED" });
    expect([status, code, details]).toEqual([409, "conflict", { field: "name", template_id: held.id }]);
  });

  it("A template submission that the provider rejects returns the reason and stores nothing", async () => {
    const customer = await linkedCustomer(cloud);
    cloud.gateway = () => graphError(100, "Invalid parameter", 400, "Too many emoji.");
    expect(await refusal(submitTemplate(customer))).toEqual([
      502,
      "provider_error",
      { provider: "whatsapp_cloud", provider_code: "100", detail: "(#100) Invalid parameter – Too many emoji." },
    ]);
    cloud.gateway = () => Response.json({ nonsense: true });
    expect(await refusal(submitTemplate(customer))).toMatchObject([502, "provider_error", { provider_code: null }]);
    expect(await templatesOf(customer)).toEqual([]);
  });
});
