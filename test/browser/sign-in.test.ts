import { describe, expect, it } from "vitest";
import { newPage, pageOf, signIn, useBrowser } from "./support/browser.ts";
import { conversationWith } from "./support/inbox.ts";
import { demoOwner, newWorkspace } from "./support/people.ts";

useBrowser();

describe("Signing in", () => {
  it("Signing in with the password that `npm start` prints leads to the demo workspace", async () => {
    const page = await newPage();
    await signIn(page, demoOwner());
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Overview");
    await page.getByText("Demo", { exact: true }).waitFor();
    await page.getByRole("cell", { name: "Ada Okafor" }).first().waitFor();
  });

  it("Sign-in works without scripts", async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await signIn(page, demoOwner());
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Overview");
  });

  it("After a wrong password, sign-in keeps the email, and after five attempts the user must wait", async () => {
    const workspace = await newWorkspace();
    const { email } = await workspace.member("owner");
    const page = await newPage();
    await page.goto("/console/sign-in");
    await page.getByLabel("Email").fill(email);
    for (let tries = 0; tries < 5; tries++) {
      await page.getByLabel("Password").fill("wrong password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect.poll(() => page.getByLabel("Password").inputValue()).toBe("");
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("alert").textContent()).toBe("The email or password is incorrect.");
      expect(await page.getByLabel("Email").inputValue()).toBe(email);
    }
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/Too many attempts. Try again in \d+ minutes./).waitFor();
  });
});

describe("Ended sessions", () => {
  it("After the session ended, a page keeps the typed text, offers a sign-in, and then shows the missed changes", async () => {
    const workspace = await newWorkspace();
    const person = await workspace.member("agent");
    await workspace.receive("+14155550101", "Is my order on its way?");
    const page = await pageOf(
      person,
      workspace.path(`/inbox/${await conversationWith(workspace, "Is my order on its way?")}`),
    );
    const isLive = page.locator("html[data-live]");
    await isLive.waitFor({ state: "attached" });
    await page.getByLabel("Reply").fill("Half a thought");
    await page.context().clearCookies();
    await workspace.receive("+14155550101", "Hello?");
    const offer = page.locator("#toasts").filter({ hasText: "Your session ended." });
    await offer.waitFor();
    await workspace.receive("+14155550101", "Anybody there?");
    await offer.getByRole("button", { name: "Sign in" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.locator("#thread").getByText("Anybody there?").waitFor();
    await offer.waitFor({ state: "hidden" });
    expect(await page.getByLabel("Reply").inputValue()).toBe("Half a thought");
  });

  it("If the user signs out everywhere, other pages report it immediately, and receive changes again after a sign-in", async () => {
    const workspace = await newWorkspace();
    const person = await workspace.member("agent");
    const page = await pageOf(person, workspace.path("/inbox"));
    const isLive = page.locator("html[data-live]");
    await isLive.waitFor({ state: "attached" });
    const elsewhere = await pageOf(person, workspace.path("/contacts"));
    await elsewhere.locator("summary", { hasText: "Ada Okafor" }).click();
    await elsewhere.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByText("Your session ended.").waitFor();
    await isLive.waitFor({ state: "detached" });
    await page.locator("#toasts").getByRole("button", { name: "Sign in" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await isLive.waitFor({ state: "attached" });
    await workspace.receive("+14155550101", "Hello?");
    await page.locator("#conversations").getByText("Hello?").waitFor();
    await expect.poll(() => page.locator("#toasts > .banner").count()).toBe(0);
  });

  it("After the session ended, a click on a link leads to the sign-in page, and then to the requested page", async () => {
    const workspace = await newWorkspace();
    const person = await workspace.member("owner");
    const here = await pageOf(person, workspace.path("/overview"));
    const elsewhere = await newPage();
    await signIn(elsewhere, person);
    await elsewhere.locator("summary", { hasText: "Ada Okafor" }).click();
    await elsewhere.getByRole("button", { name: "Sign out everywhere" }).click();
    await elsewhere.getByText("You're signed out on all devices.").waitFor();

    await here.getByRole("link", { name: "Settings" }).click();
    await here.waitForURL(/\/console\/sign-in\?next=/);
    await here.getByLabel("Email").fill(person.email);
    await here.getByLabel("Password").fill(person.password);
    await here.getByRole("button", { name: "Sign in" }).click();
    await here.getByRole("heading", { level: 1, name: "Workspace" }).waitFor();
    expect(here.url()).toContain(workspace.path("/settings"));
  });

  it("Sign-out ends the session, and the browser's Back button leads to the sign-in page", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("owner"));
    await page.locator("summary", { hasText: "Ada Okafor" }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("You're signed out.").waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(page.url()).toContain("/console/sign-in");
  });
});

describe("Password change", () => {
  it("The password form shows each error next to its field, and then only the new password works", async () => {
    const workspace = await newWorkspace();
    const person = await workspace.member("owner");
    const page = await pageOf(person, "/console/password");
    const fill = async (current: string, next: string, again = next) => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password", { exact: true }).fill(next);
      await page.getByLabel("Confirm new password").fill(again);
      await page.getByRole("button", { name: "Change password" }).click();
    };
    await fill(person.password, "too short");
    await page.getByText("Must have at least 10 characters.", { exact: true }).waitFor();
    const field = page.getByLabel("New password", { exact: true });
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await fill("not my password", "staple battery horse");
    await page.getByText("The password is incorrect.").waitFor();
    await fill(person.password, "staple battery horse");
    await page.getByText("Password changed.").waitFor();
    const other = await newPage();
    await signIn(other, { ...person, password: "staple battery horse" });
    expect(await other.getByRole("heading", { level: 1 }).textContent()).toBe("Overview");
  });
});
