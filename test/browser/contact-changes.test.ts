import { describe, expect, it } from "vitest";
import { pageOf, useBrowser } from "./support/browser.ts";
import { receiveFrom } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

describe("Contacts", () => {
  it("A bulk edit changes the selected contacts, and the page still shows its progress after a reload", async () => {
    const workspace = await newWorkspace();
    await receiveFrom(workspace, "Ada", "Grace", "Alan");
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
    await page.getByText("3 contacts", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Select Ada" }).check();
    await page.getByRole("checkbox", { name: "Select Grace" }).check();
    await page.getByRole("button", { name: "Edit 2 selected" }).click();
    await page.getByRole("heading", { name: "Edit 2 contacts" }).waitFor();
    for (const action of ["Archive", "Unsubscribe"]) {
      await page.getByRole("radio", { name: action }).check();
      await page.getByRole("button", { name: `${action} 2 contacts`, exact: true }).waitFor();
    }
    await page.getByRole("radio", { name: "Add tags" }).check();
    await page.getByRole("textbox", { name: "Tags" }).fill("Pioneers");
    await page.getByRole("button", { name: "Edit 2 contacts", exact: true }).click();
    await page.getByRole("heading", { name: "Adding tags" }).waitFor();
    await page.reload();
    await page.getByText("2 contacts done.").waitFor();
    await page.getByRole("link", { name: "Back to contacts" }).click();
    await page.getByLabel("Tag", { exact: true }).selectOption("Pioneers");
    await expect.poll(() => page.locator("#results td:first-child a").allInnerTexts()).toEqual(["Grace", "Ada"]);
    await page.getByRole("button", { name: "Edit all 2" }).click();
    await page.getByRole("heading", { name: "Edit 2 contacts" }).waitFor();
  });

  it("The merge page shows which values are kept and lost, and then merges the two contacts", async () => {
    const workspace = await newWorkspace();
    await receiveFrom(workspace, "Ada Lovelace", "Countess");
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
    await page.getByRole("link", { name: "Ada Lovelace" }).click();
    await page.getByRole("link", { name: "Merge" }).click();
    await page.getByLabel("Name, phone, email or company").fill("countess");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("link", { name: "Compare Countess" }).click();
    await page.getByRole("heading", { name: "Merge Countess into Ada Lovelace?" }).waitFor();
    await page.getByText(/1 conversation(,| and) 1 message/).waitFor();
    await page.getByText("+14155550102").waitFor();
    await page.getByRole("button", { name: "Merge" }).click();
    await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
    await page.getByText("Hi, this is Countess").waitFor();
    await page.goto(workspace.path("/contacts"));
    await page.getByText("1 contact", { exact: true }).waitFor();
    expect(await page.locator("#results td:first-child a").allInnerTexts()).toEqual(["Ada Lovelace"]);
  });
});
