import { describe, expect, it } from "vitest";
import { capture, copyBy, expectAccessible, expectToFit, pageOf, untilLive, useBrowser } from "./support/browser.ts";
import { newWorkspace } from "./support/people.ts";
import { startReceiver } from "./support/webhooks.ts";

useBrowser();

describe("Webhooks", () => {
  it("A webhook can be created, tested, changed and deleted, and shows its secret in sample code", async () => {
    const workspace = await newWorkspace();
    const receiver = await startReceiver();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/webhooks"));
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.getByLabel("Address").fill(`${receiver.url}/orders`);
    await page.getByLabel("Description").fill("Orders");
    await page.getByLabel("All events about messages").uncheck();
    await page.getByRole("group", { name: "Webhooks" }).getByLabel("Updated").check();
    await page.getByRole("button", { name: "Create webhook" }).click();

    const secret = await page.getByLabel("Signing secret").inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByText("PHP").first().click();
    await copyBy(page.getByRole("button", { name: "Copy PHP" }), page.getByRole("button", { name: "Copied PHP" }));
    expect(String(await page.evaluate("navigator.clipboard.readText()"))).toContain(secret);
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page);
      await capture(page, `webhook-created-${width}`);
    }
    await expectAccessible(page);

    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Send test" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Test delivered:").waitFor();
    await capture(page, "webhook-tested-1440");
    await expectAccessible(page);

    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Description").fill("Orders of the shop");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("200 in").first().waitFor(); // the delivery of webhook.updated appears by itself
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
    await page.getByText("Orders of the shop deleted.").waitFor();
    receiver.close();
  });
});

describe("Event log", () => {
  it("The event log immediately shows new events, and only events of the chosen types", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/events"));
    await untilLive(page);
    await workspace.call("POST", "/webhooks", { url: "https://hooks.example.org/", types: ["tag.*"] });
    await page.getByRole("link", { name: "webhook.created" }).waitFor();
    await page.getByLabel("Show").selectOption("contact.merged");
    await page.getByText("No events here").waitFor();
    await expect.poll(() => page.url()).toContain("types=contact.merged");
  });
});
