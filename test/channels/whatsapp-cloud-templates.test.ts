import { describe, expect, it } from "vitest";
import { ProviderError } from "../../src/channels/channel.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { cloudConnection } from "../support/cloud-sends.ts";
import { MediaShelf } from "../support/media-shelf.ts";
import { APP_ID, CloudStandIn } from "../support/providers/cloud.ts";
import { graphError } from "../support/providers/graph-error.ts";
import { directIo, playInEachTest } from "../support/providers/linked.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const connection = { ...cloudConnection, config: { ...cloudConnection.config, app_id: APP_ID } };
const { createTemplate, editTemplate, deleteTemplate, uploadExample } = whatsappCloud;
const body = { type: "BODY", text: "Hi {{1}}", example: { body_text: [["Ann"]] } };
const draft = {
  name: "order_update",
  language: "en_US",
  category: "UTILITY",
  parameters: "positional",
  components: [body],
} as const;

const create = (components: Record<string, unknown>[] = [body]) =>
  createTemplate?.(connection, { ...draft, components }, directIo());

const parse = (field: string, value: object) =>
  whatsappCloud.webhook?.parse(connection, JSON.stringify({ entry: [{ time: 1, changes: [{ field, value }] }] }), 5000);

describe("Templates", () => {
  it("A Cloud API template can be submitted, changed and deleted in one language", async () => {
    const created = await create();
    expect(created).toEqual({ providerId: expect.any(String), status: "PENDING", category: "UTILITY" });
    expect(JSON.parse(cloud.requests[0]?.body ?? "")).toEqual({
      name: "order_update",
      language: "en_US",
      category: "UTILITY",
      parameter_format: "POSITIONAL",
      components: [body],
    });
    const held = { providerId: created?.providerId ?? "", name: draft.name, language: "en_US" };
    const change = { category: "MARKETING", components: [{ type: "BODY", text: "Hello" }] };
    expect(await editTemplate?.(connection, held, change, directIo())).toEqual({ status: "PENDING" });
    expect(JSON.parse(cloud.requests[1]?.body ?? "")).toEqual(change);
    expect(cloud.templates).toMatchObject([{ category: "MARKETING", components: change.components }]);
    await deleteTemplate?.(connection, held, directIo());
    expect(cloud.requests.at(-1)).toMatchObject({
      method: "DELETE",
      path: `/v25.0/102290129340398/message_templates?hsm_id=${held.providerId}&name=order_update`,
    });
    expect(cloud.templates).toEqual([]);
    await deleteTemplate?.(connection, held, directIo());
  });

  it("A Cloud API template that Meta rejects fails with Meta's text, and a lost response does not count as a rejection", async () => {
    await expect(create([{ type: "HEADER", format: "IMAGE" }])).rejects.toThrow(ProviderError);
    const gone = { providerId: "1", name: "gone", language: "en" };
    await expect(editTemplate?.(connection, gone, { category: "UTILITY" }, directIo())).rejects.toThrow(ProviderError);
    cloud.gateway = () => graphError(80008, "Too many calls to this account");
    await expect(create()).rejects.toMatchObject({ providerCode: "80008" });
    for (const reply of [() => "lost" as const, () => graphError(131000, "Something went wrong", 500)]) {
      cloud.gateway = reply;
      for (const call of [create, () => deleteTemplate?.(connection, gone, directIo())]) {
        await expect(call()).rejects.toThrow(expect.not.objectContaining({ detail: expect.anything() }));
      }
    }
  });

  it("A Cloud API template with an image header is submitted with the handle that Meta returned for the example image", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(3000));
    const file = await new MediaShelf().put("med_1", { bytes, mimeType: "image/png", filename: "sale & more.png" });
    const handle = (await uploadExample?.(connection, file, directIo())) ?? "";
    expect(cloud.catalog.examples.get(handle)).toEqual({ type: "image/png", bytes });
    expect(cloud.requests.map(({ headers }) => headers.get("Authorization"))).toEqual([
      `Bearer ${cloud.settings.access_token}`,
      `OAuth ${cloud.settings.access_token}`,
    ]);
    const header = { type: "HEADER", format: "IMAGE", example: { header_handle: [handle] } };
    expect(await create([header, body])).toMatchObject({ status: "PENDING" });
  });

  it("An example file for a Cloud API template is not uploaded without an app id, or if Meta returns an invalid upload id", async () => {
    const file = await new MediaShelf().put("med_1", { bytes: new Uint8Array(3), mimeType: "image/png" });
    await expect(uploadExample?.(cloudConnection, file, directIo())).rejects.toThrow("app_id");
    expect(cloud.requests).toEqual([]);
    for (const id of ["../../4711/messages", "upload:../x", "https://elsewhere.test", "upload:a b", ""]) {
      cloud.gateway = () => Response.json({ id });
      await expect(uploadExample?.(connection, file, directIo())).rejects.toThrow(ProviderError);
    }
    expect(cloud.requests).toHaveLength(5);
  });
});

describe("Template reports", () => {
  const named = {
    message_template_id: 12345678,
    message_template_name: "order_confirmation",
    message_template_language: "en-US",
  };
  const event = { type: "template", providerId: "12345678", name: "order_confirmation", language: "en-US", at: 1000 };

  it.each([
    [
      "message_template_status_update",
      { event: "APPROVED", reason: "NONE", message_template_category: "MARKETING" },
      { status: "APPROVED", reason: null, category: "MARKETING" },
    ],
    [
      "message_template_status_update",
      {
        event: "REJECTED",
        reason: "INVALID_FORMAT",
        rejection_info: { reason: "No variables", recommendation: "Add" },
      },
      { status: "REJECTED", reason: "INVALID_FORMAT: No variables: Add" },
    ],
    [
      "message_template_status_update",
      { event: "PAUSED", reason: null, other_info: { title: "FIRST_PAUSE", description: "Paused for 3 hours." } },
      { status: "REJECTED", reason: "Paused for 3 hours." },
    ],
    [
      "message_template_quality_update",
      { previous_quality_score: "GREEN", new_quality_score: "YELLOW" },
      { status: null, reason: null, quality: "YELLOW" },
    ],
    [
      "template_category_update",
      { previous_category: "UTILITY", new_category: "MARKETING" },
      { status: null, reason: null, category: "MARKETING" },
    ],
  ])("A report from Meta about a template is parsed: %s %o", (field, value, change) => {
    expect(parse(field, { ...named, ...value })).toEqual([{ ...event, ...change }]);
  });

  it("A report from Meta that only announces a change to a template, or contains no change, has no effect", () => {
    expect(parse("message_template_quality_update", { ...named, new_quality_score: "UNKNOWN" })).toEqual([]);
    const toCome = { ...named, new_category: "UTILITY", correct_category: "MARKETING" };
    expect(parse("template_category_update", toCome)).toEqual([]);
    expect(parse("template_category_update", named)).toEqual([]);
    expect(parse("message_template_status_update", { ...named, event: "FLAGGED" })).toEqual([]);
  });
});
