import { describe, expect, inject, it } from "vitest";
import { capture, copyBy, expectAccessible, expectToFit, pageOf, useBrowser } from "./support/browser.ts";
import { keyOf } from "./support/settings.ts";
import { callApi, newWorkspace } from "./support/people.ts";

useBrowser();

const listTags = async (key: string): Promise<number> =>
  (await fetch(`${inject("url")}/api/v1/tags`, { headers: { Authorization: `Bearer ${key}` } })).status;

describe("API keys", () => {
  it("An API key can be created, copied, used and revoked, and a revoked key is rejected", async () => {
    const workspace = await newWorkspace();
    await workspace.manage("PATCH", "", { plan: "growth" });
    const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/api-keys"));
    await page.getByRole("link", { name: "New API key" }).click();
    await page.getByLabel("Name").fill("Web shop");
    await page.getByRole("button", { name: "Create key" }).click();
    await copyBy(
      page.getByRole("button", { name: "Copy API key" }),
      page.getByRole("button", { name: "Copied API key" }),
    );
    const key = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(await listTags(key)).toBe(200);
    expect(await page.getByLabel("Sends a message").inputValue()).toContain(`Bearer ${key}`);
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page);
      await capture(page, `api-key-created-${width}`);
    }
    await expectAccessible(page);

    await page.getByRole("link", { name: "I have copied it" }).click();
    const row = page.getByRole("row").filter({ hasText: "Web shop" });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke Web shop?" });
    await capture(page, "api-key-revoke-1440");
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Web shop revoked.").waitFor();
    expect(await listTags(key)).toBe(401);
  });

  it("The API key form shows each error next to its field", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/api-keys/new"));
    await page.getByLabel("Name").fill("Web shop");
    await page.getByLabel("Requests").fill("900");
    await page.getByLabel("in seconds").fill("1");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Must allow at most 500 requests a second on average.").waitFor();
    expect(await page.getByLabel("Requests").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Name").inputValue()).toBe("Web shop");
    await page.setViewportSize({ width: 375, height: 900 });
    await capture(page, "api-key-refused-375");
  });
});

describe("Connections", () => {
  it("A sandbox connection can be added and tested, and sends and receives messages", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/connections"));
    await page.getByRole("link", { name: "New connection" }).click();
    await page.getByRole("link", { name: "Sandbox" }).click();
    await page.getByLabel("Name").fill("Playground");
    await page.getByRole("button", { name: "Create connection" }).click();
    await page.getByText("Playground is ready.").waitFor();
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("The sandbox is always reachable.").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Hello from the other end");
    await page.getByRole("button", { name: "Simulate message" }).click();
    await page.getByText("Message from +14155550123 is on its way to the inbox.").waitFor();

    const connection_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const key = await keyOf(workspace, { connection_id });
    await callApi(key, "POST", "/messages", { to: "+14155550123", text: "Hello back" });
    await expect.poll(() => page.getByRole("cell", { name: "Hello back" }).count()).toBe(1);
  });

  it("A new WAHA connection reports that its server does not respond, and shows the webhook settings for the server", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(
      await workspace.member("admin"),
      workspace.path("/settings/connections/new?provider=waha"),
    );
    await page.getByLabel("Name").fill("Workshop phone");
    await page.getByLabel("Server address").fill("http://127.0.0.1:9");
    await page.getByLabel("Session").fill("default");
    await page.getByLabel("API key").fill("waha-api-key-1234");
    await page.getByRole("button", { name: "Create connection" }).click();
    await page.getByRole("heading", { name: "Workshop phone doesn't work yet" }).waitFor();
    await page.getByRole("alert").getByText("test failed").waitFor();
    expect(await page.getByLabel("Webhook URL", { exact: true }).inputValue()).toContain(
      `${inject("url")}/hooks/conn_`,
    );
    expect(await page.getByLabel("Webhook HMAC key", { exact: true }).inputValue()).toMatch(/^[0-9a-f]{48}$/);
    await expectAccessible(page);
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page);
      await capture(page, `connection-created-${width}`);
    }
  });
});

it("The console shows times in one format, whatever the language of the browser", async () => {
  const workspace = await newWorkspace();
  const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/workspace"), {
    locale: "en-US",
  });
  await expect.poll(() => page.locator("main time").innerText()).toMatch(/^\d\d? [A-Z][a-z]+ \d{4}, \d\d:\d\d$/);
});

describe("Custom fields", () => {
  it("The custom field form asks for choices only if the type has choices", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/settings/custom-fields/new"));
    await page.getByLabel("Label").fill("Size");
    await page.getByLabel("Key").fill("size");
    expect(await page.getByLabel("Choices").isVisible()).toBe(false);
    await page.getByLabel("Type").selectOption("select");
    await page.getByLabel("Choices").fill("S\nM");
    await page.getByRole("button", { name: "Create field" }).click();
    await page.getByText("Size created.").waitFor();
    await page.getByText("S · M").waitFor();
  });
});

describe("Templates", () => {
  it("A template shows a preview while the user types, is created, and is sent as a test", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/templates/new"));
    await page.getByText("Preview", { exact: true }).and(page.locator("button")).waitFor({ state: "hidden" });
    await page.getByLabel("Name").fill("ready");
    await page.getByLabel("Text").fill("Hi {{first_name}}, show {{code}}");
    await page.locator("#preview").getByText("Hi Alex, show {{code}}").waitFor();
    await page.getByLabel("Text").pressSequentially(" and {{");
    await page.locator("#preview").getByText("is not closed by }}").waitFor();
    await page.getByLabel("Text").fill("Hi {{first_name}}, show {{code}}");
    await page.getByRole("button", { name: "Create template" }).click();
    await page.getByText("ready created.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("+14155550100");
    await page.getByLabel("Value of {{code}}").fill("4711");
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Enter a value for {{first_name}}.").waitFor();
    await page.getByLabel("Value of {{first_name}}").fill("you");
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Test to +14155550100 is on its way.").waitFor();
    await page.goto(workspace.path(`/settings/connections/${workspace.connectionId}`));
    await expect.poll(() => page.getByRole("cell", { name: "Hi you, show 4711" }).count()).toBe(1);
  });

  it("Without scripts, a button shows the preview of a template and keeps the text", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/templates/new"), {
      javaScriptEnabled: false,
    });
    await page.getByLabel("Text").fill("Hi {{name}}");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator("#preview").getByText("Hi Alex Example").waitFor();
    expect(await page.getByLabel("Text").inputValue()).toBe("Hi {{name}}");
  });
});
