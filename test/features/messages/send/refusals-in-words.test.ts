import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { png, uploadFile } from "../../../support/media.ts";
import { orderUpdate, providerHolds } from "../../../support/provider.ts";
import { onShard } from "../../../support/storage.ts";
import { findExternalTemplate, sendTemplate } from "../../../support/templates.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Error messages", () => {
  it("The error for a file that does not fit the message type names the allowed types and size", async () => {
    const customer = await new World().customer();
    const messageOf = async (kind: string, media_id: string) =>
      (await customer.call("POST", "/messages", { to: phoneEnding("1234"), [kind]: { media_id } })).body.error.message;
    const stored = async (bytes: number): Promise<string> =>
      (await uploadFile(customer, png(bytes), "image/png")).body.media.id;
    expect(await messageOf("sticker", await stored(1000))).toBe(
      "This file cannot be sent as sticker. Allowed: WebP, up to 500 KB.",
    );
    expect(await messageOf("image", await stored(6 * 1024 * 1024))).toBe(
      "This file is too large for image. Allowed: JPEG or PNG, up to 5 MB.",
    );
    const failed = await stored(2000);
    await onShard(
      customer,
      "UPDATE media SET status = 'failed' WHERE id = ? AND workspace_id = ?",
      failed,
      customer.workspaceId,
    );
    expect(await messageOf("image", failed)).toBe("This file is not stored. GET /media/:id returns the reason.");
  });

  it("The error for an unknown interactive type names the known types", async () => {
    const customer = await new World().customer();
    const interactive = { type: "button", body: "Coming?", buttons: [{ id: "y", title: "Yes" }] };
    const { body } = await customer.call("POST", "/messages", { to: phoneEnding("1234"), interactive });
    expect(body.error.details).toMatchObject([
      { path: "interactive.type", message: "Must be one of buttons, list, link, location_request." },
    ]);
  });

  it("The error for a template button without a value names both fields that accept the value", async () => {
    const customer = await new World().customer({ channel: "official" });
    const buttons = [
      { type: "QUICK_REPLY", text: "More" },
      { type: "URL", text: "Open", url: "https://example.com/{{1}}" },
    ];
    const components = [
      { type: "BODY", text: "Hi {{name}}" },
      { type: "BUTTONS", buttons },
    ];
    const provider = providerHolds({ ...orderUpdate, parameters: "named", components });
    await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
    provider.mockRestore();
    const id = await findExternalTemplate(customer, orderUpdate.name);
    const send = (fields: object) => sendTemplate(customer, id, { to: phoneEnding("1234"), ...fields });
    expect((await send({ variables: { name: "Ann" } })).body.error).toEqual({
      code: "missing_variable",
      message: "Missing value: button_2. Send it in variables (or buttons).",
      details: { variables: ["button_2"] },
    });
    expect((await send({ variables: { name: "Ann", button_2: "a" } })).status).toBe(202);
    expect((await send({ variables: { name: "Ann" }, buttons: [{ index: 1, value: "a" }] })).status).toBe(202);
  });
});
