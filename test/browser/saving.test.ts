import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pageOf, useBrowser, useSession } from "./support/browser.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

const made = z.object({ contact: z.object({ id: z.string() }) });

async function editedContact() {
  const workspace = await newWorkspace();
  const body = { phone: "+14155550123", name: "Ada", company: "Acme" };
  const { id } = made.parse(await workspace.call("POST", "/contacts", body)).contact;
  const person = await workspace.member("agent");
  const page = await pageOf(person, workspace.path(`/contacts/${id}/edit`));
  await page.getByLabel("Name").fill("Ada Lovelace");
  return { workspace, id, person, page };
}

describe("Forms", () => {
  it("A form shows another member's changes and keeps the typed text", async () => {
    const { workspace, id, page } = await editedContact();
    await workspace.call("PATCH", `/contacts/${id}`, { name: "Ada Byron", company: "Analytical Engines" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed by someone else to “Ada Byron”.").waitFor();
    await page.getByText("Changed by someone else to “Analytical Engines”; previously “Acme”.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Ada Lovelace");
    expect(await page.getByLabel("Company").inputValue()).toBe("Analytical Engines");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Ada Lovelace" }).first().waitFor();
    await page.getByText("Analytical Engines").first().waitFor();
  });

  it("A rejected form keeps the typed text, and the focus is on its first invalid field", async () => {
    const { page } = await editedContact();
    const sent: string[] = [];
    const at = [page.url(), await page.title()];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    await page.getByLabel("Phone").fill("12");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be a phone number in international format").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("phone");
    expect(await page.getByLabel("Name").inputValue()).toBe("Ada Lovelace");
    expect([page.url(), await page.title()]).toEqual(at);
    expect(sent).toHaveLength(1);
    await page.getByLabel("Phone").fill("+1 415 555 0124");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("+14155550124").first().waitFor();
    expect(sent).toHaveLength(2);
  });

  it("A form that is submitted offline is sent when the browser is online again", async () => {
    const { page } = await editedContact();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("You're offline. Your changes are kept").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Ada Lovelace");
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Ada Lovelace" }).first().waitFor();
  });

  it("A form is not sent in the name of another member who signed in in the same browser", async () => {
    const { workspace, id, person, page } = await editedContact();
    await useSession(page, await workspace.member("agent", "Ben Lindqvist"));
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    expect(await dialog.getByLabel("Email").inputValue()).toBe(person.email);
    expect(await workspace.call("GET", `/contacts/${id}`)).toMatchObject({ contact: { name: "Ada" } });
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Ada Lovelace" }).first().waitFor();
  });

  it("A form that is submitted after the session ended is sent after a sign-in on the same page", async () => {
    const { person, page } = await editedContact();
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByLabel("Password").fill("wrong password");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("The email or password is incorrect.").waitFor();
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Ada Lovelace" }).first().waitFor();
    await expect.poll(() => dialog.isVisible()).toBe(false);
  });
});
