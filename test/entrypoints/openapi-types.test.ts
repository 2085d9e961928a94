import { beforeAll, describe, expect, it } from "vitest";
import { nodesOf, resolveIn } from "../support/api-document.ts";
import { type Answer, World } from "../support/world.ts";

let document: Answer["body"];

beforeAll(async () => {
  document = (await new World().request("GET", "/openapi.json")).body;
});

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const resolve = (value: Answer["body"]) => resolveIn(document, value);

describe("Types of the OpenAPI document", () => {
  it("The OpenAPI document describes rows of a batch, conditions of a segment and choices of a contact", () => {
    const { paths, components } = document;
    const batch = paths["/api/v1/contacts/batch"].post;
    const sent = resolve(batch.requestBody.content["application/json"].schema);
    expect(sent.properties.contacts.items).toEqual(component("ContactsUpsertRequest"));
    const answered = resolve(batch.responses["200"].content["application/json"].schema);
    const { error } = resolve(answered.properties.results.items).properties;
    expect(error.anyOf).toEqual([component("Refusal"), { type: "null" }]);
    const choice = [component("SegmentCondition"), component("SegmentGroup")];
    expect(components.schemas.SegmentFilterInput.properties.conditions.items.oneOf).toEqual(choice);
    expect(components.schemas.SegmentFilter.properties.conditions.items.anyOf).toEqual(choice);
    expect(resolve(components.schemas.SegmentCondition.properties.op).enum).toContain("within_days");
    expect(resolve(components.schemas.Contact.properties.status).enum).toEqual([
      "hot",
      "warm",
      "active",
      "cold",
      "new",
    ]);
    expect(resolve(components.schemas.Contact.properties.lifecycle_stage).enum).toContain("customer");
  });

  it("The OpenAPI document describes the details of an error by its code", () => {
    const { schemas } = document.components;
    expect(schemas.ValidationFailedRefusal.properties.details).toEqual({ type: "array", items: component("Fault") });
    expect(schemas.MissingVariableRefusal.properties.details.properties.variables.type).toBe("array");
    expect(schemas.NotFoundRefusal.properties.code.const).toBe("not_found");
  });

  it("The OpenAPI document has a discriminator for each union of shapes", () => {
    const { schemas } = document.components;
    const discriminators = {
      Refusal: "code",
      InteractiveInput: "type",
      InteractiveContent: "type",
      TemplateComponent: "type",
    };
    for (const [name, propertyName] of Object.entries(discriminators))
      expect(schemas[name].discriminator, name).toMatchObject({ propertyName, mapping: expect.any(Object) });
    expect(schemas.Message.allOf).toEqual([component("MessageContent")]);
    const ofImages = schemas.MessageContent.oneOf.find((each: Answer["body"]) =>
      each.properties.type.enum.includes("image"),
    );
    expect(ofImages.properties.content.anyOf).toEqual([component("MediaContent"), { type: "null" }]);
    const types = schemas.MessageContent.oneOf.flatMap((each: Answer["body"]) => each.properties.type.enum);
    expect(types.toSorted()).toEqual(schemas.MessageType.enum.toSorted());
  });

  it("The OpenAPI document allows new fields in responses and forbids unknown fields in requests", () => {
    const answers = Object.entries(document.components.schemas).filter(([name]) => name.endsWith("Answer"));
    expect(answers.length).toBeGreaterThan(50);
    for (const { at, node } of nodesOf(Object.fromEntries(answers)))
      expect(node["additionalProperties"], at).not.toBe(false);
    expect(document.components.schemas.Contact.additionalProperties).toBeUndefined();
    for (const name of ["ContactsUpsertRequest", "SegmentFilterInput", "SegmentGroup", "SegmentCondition"])
      expect(document.components.schemas[name].additionalProperties, name).toBe(false);
    expect(document.components.schemas.TagsCreateRequest.properties.color.pattern).toBe("^#[0-9a-fA-F]{6}$");
  });

  it("The OpenAPI document and the server accept the same formats of times", async () => {
    const pattern = new RegExp(document.components.schemas.CampaignsStartRequest.properties.scheduled_at.pattern);
    const customer = await new World().customer();
    for (const scheduled_at of [
      "2027-01-31T09:30:00Z",
      "2027-01-31T09:30:00.123Z",
      "2027-01-31T09:30:00+00:00",
      "2027-01-31T09:30:00z",
      "2027-01-31T09:30Z",
      "2027-01-31T09:30:00+01:00",
      "2027-01-31T09:30:00-00:00",
      "2027-02-29T09:30:00Z",
      "2027-01-31T24:00:00Z",
      "2027-01-31 09:30:00Z",
      "2027-01-31",
    ]) {
      const body = { template_id: "tpl_none", channel: "unofficial", scheduled_at };
      const { status } = await customer.call("POST", "/campaigns", body);
      expect(status !== 400, scheduled_at).toBe(pattern.test(scheduled_at));
    }
  });

  it("The OpenAPI document lists the headers of every response", () => {
    const { post } = document.paths["/api/v1/messages"];
    const named = (status: string) => Object.keys(resolve(post.responses[status]).headers);
    expect(named("202")).toEqual([
      "X-Request-Id",
      "RateLimit-Policy",
      "RateLimit",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
      "Idempotent-Replayed",
    ]);
    expect(named("401")).toEqual(["X-Request-Id", "WWW-Authenticate", "Link"]);
    expect(named("405")).toContain("Allow");
    expect(named("429")).toContain("Retry-After");
    expect(Object.keys(document.paths["/manage/v1/workspaces"].get.responses["200"].headers)).toEqual(["X-Request-Id"]);
  });
});
