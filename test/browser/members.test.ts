import { describe, expect, it } from "vitest";
import { copyBy, newPage, pageOf, useBrowser } from "./support/browser.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

describe("Invitations", () => {
  it("An invitation shows its link once, and the accepted link grants the chosen role", async () => {
    const workspace = await newWorkspace();
    const owner = await pageOf(await workspace.member("owner"), workspace.path("/settings/members"));
    await owner.getByLabel("Email").fill("ben@invited.example");
    await owner.getByLabel("Role", { exact: true }).selectOption("admin");
    await owner.getByRole("button", { name: "Create invitation link" }).click();
    const link = await owner.getByLabel("Invitation link for ben@invited.example").inputValue();
    await copyBy(owner.getByRole("button", { name: "Copy" }), owner.getByText("Copied"));
    expect(await owner.evaluate("navigator.clipboard.readText()")).toBe(link);
    await owner.goto(workspace.path("/settings/members"));
    expect(await owner.content()).not.toContain(link);
    await owner.getByRole("cell", { name: "ben@invited.example" }).waitFor();

    const ben = await newPage();
    const sent: string[] = [];
    ben.on("request", (request) => sent.push(request.url(), request.headers()["referer"] ?? ""));
    await ben.goto(link);
    await ben.getByLabel("Your name").fill("Ben Lima");
    await ben.getByLabel("New password").fill("short");
    await ben.getByRole("button", { name: "Join", exact: true }).click();
    await ben.getByText("Must have at least 10 characters.", { exact: true }).waitFor();
    await expect.poll(() => ben.getByLabel("Your name").inputValue()).toBe("Ben Lima");
    await ben.getByLabel("New password").fill("correct horse battery");
    await ben.getByRole("button", { name: "Join", exact: true }).click();
    await ben.locator("summary", { hasText: "Ben Lima" }).waitFor();
    const secret = new URL(link).hash.slice(1);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(sent.filter((url) => url.includes(secret))).toEqual([]);

    await owner.reload();
    const row = owner.getByRole("row").filter({ hasText: "ben@invited.example" });
    expect(await row.getByLabel("Role for Ben Lima").inputValue()).toBe("admin");
  });

  it("Without scripts, a person can accept an invitation by pasting its link", async () => {
    const workspace = await newWorkspace();
    const link = await workspace.invite("cleo@invited.example", "agent");
    const cleo = await newPage({ javaScriptEnabled: false });
    await cleo.goto(link);
    await cleo.getByLabel("Link").fill(link);
    await cleo.getByRole("button", { name: "Continue" }).click();
    await cleo.getByLabel("Your name").fill("Cleo");
    await cleo.getByLabel("New password").fill("correct horse battery");
    await cleo.getByRole("button", { name: "Join", exact: true }).click();
    await cleo.getByText("You joined Acme.").waitFor();
    await expect.poll(() => cleo.locator("summary", { hasText: "Cleo" }).isVisible()).toBe(true);
  });

  it("An invalid invitation link shows the reason", async () => {
    const page = await newPage();
    await page.goto("/console/invitations#never-given-out");
    await page.getByRole("alert").filter({ hasText: "No such invitation." }).waitFor();
    expect(page.url()).not.toContain("never-given-out");
  });

  it("The invitation form shows each error next to its field", async () => {
    const workspace = await newWorkspace();
    const person = await workspace.member("owner");
    const page = await pageOf(person, workspace.path("/settings/members"));
    await page.getByLabel("Email").fill(person.email);
    await page.getByRole("button", { name: "Create invitation link" }).click();
    const field = page.getByLabel("Email");
    await page.getByText("This email already belongs to a member. Change their role instead.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await field.inputValue()).toBe(person.email);
  });
});

describe("Password reset", () => {
  it("A reset link is shown once, and the new password signs the member out everywhere else", async () => {
    const workspace = await newWorkspace();
    const ben = await workspace.member("agent", "Ben Lima");
    const elsewhere = await pageOf(ben, workspace.path("/contacts"));
    const owner = await pageOf(await workspace.member("owner", "Olga"), workspace.path("/settings/members"));
    await owner.getByRole("row").filter({ hasText: "Ben Lima" }).getByRole("button", { name: "Reset link" }).click();
    const dialog = owner.getByRole("dialog", { name: "Create a reset link for Ben Lima?" });
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = await owner.getByLabel(`Reset link for ${ben.email}`).inputValue();
    await copyBy(owner.getByRole("button", { name: "Copy" }), owner.getByText("Copied"));
    expect(await owner.evaluate("navigator.clipboard.readText()")).toBe(link);
    await owner.goto(workspace.path("/settings/members"));
    expect(await owner.content()).not.toContain(new URL(link).hash);

    const page = await newPage();
    await page.goto(link);
    await page.getByText(ben.email).waitFor();
    await page.getByLabel("New password", { exact: true }).fill("staple battery horse");
    await page.getByLabel("Confirm new password").fill("staple battery horse");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password changed.").waitFor();
    await elsewhere.reload();
    await elsewhere.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("alert").filter({ hasText: "This link was already used." }).waitFor();
  });
});

describe("Members page", () => {
  it("An owner can change roles and remove members by keyboard, after a confirmation", async () => {
    const workspace = await newWorkspace();
    await workspace.member("agent", "Ben Lima");
    const page = await pageOf(await workspace.member("owner", "Olga"), workspace.path("/settings/members"));
    const row = page.getByRole("row").filter({ hasText: "Ben Lima" });
    await row.getByLabel("Role for Ben Lima").selectOption("admin");
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByText("Ben Lima is now admin.").waitFor();
    await page.reload();
    expect(await page.getByText("Ben Lima is now admin.").count()).toBe(0);

    await row.getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Remove Ben Lima?" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await row.isVisible()).toBe(true);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Remove");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText("Ben Lima removed.").waitFor();
    await row.waitFor({ state: "detached" });
  });

  it("The role of a workspace's last owner cannot be changed", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("owner", "Olga"), workspace.path("/settings/members"));
    const row = page.getByRole("row").filter({ hasText: "Olga" });
    await row.getByLabel("Role for Olga").selectOption("agent");
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByRole("alert").filter({ hasText: "This is the last owner of the workspace" }).waitFor();
    await expect.poll(() => row.getByLabel("Role for Olga").inputValue()).toBe("owner");
  });
});

describe("Roles", () => {
  it("Admins cannot open the members page, and agents cannot open settings or the overview", async () => {
    const workspace = await newWorkspace();
    const [admin, agent] = [await workspace.member("admin"), await workspace.member("agent")];
    for (const [person, closed] of [
      [admin, ["/settings/members"]],
      [agent, ["/settings/members", "/settings/workspace", "/settings/api-keys", "/overview"]],
    ] as const) {
      const page = await pageOf(person, "/console/password");
      for (const path of closed) {
        const answer = await page.goto(workspace.path(path));
        expect(answer?.status(), path).toBe(403);
        await page.getByRole("heading", { name: "Access denied" }).waitFor();
      }
    }
  });

  it("A member cannot open another workspace", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const page = await pageOf(await mine.member("owner"));
    for (const path of [theirs.path("/overview"), "/console/ws_unknown/overview"]) {
      expect((await page.goto(path))?.status()).toBe(403);
    }
  });
});
