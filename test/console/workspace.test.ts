import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { Visitor } from "../support/visitor.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

describe("Workspace settings", () => {
  it("The workspace settings save the name and the time zone, and the API returns the same values", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const at = `/console/${customer.workspaceId}/settings/workspace`;
    expect((await admin.get(`/console/${customer.workspaceId}/settings`)).body).toContain('value="Acme"');
    const saved = await admin.post(at, { name: "Okafor Coffee", time_zone: "Africa/Lagos" });
    expect(saved.status).toBe(303);
    expect((await customer.manage("GET", "")).body.workspace).toMatchObject({
      name: "Okafor Coffee",
      time_zone: "Africa/Lagos",
      plan: "growth",
    });
    const page = await admin.get(at);
    expect(page.body).toContain('<option value="Africa/Lagos" selected');
    for (const zone of ["Asia/Kolkata", "Europe/Kyiv", "Asia/Ho_Chi_Minh"])
      expect(page.body).toContain(`<option value="${zone}"`);
    expect(page.body).not.toContain("Asia/Calcutta");
    for (const time_zone of ["Asia/Calcutta", "Asia/Kolkata"])
      expect((await admin.post(at, { name: "Okafor Coffee", time_zone })).status).toBe(303);
    const refused = await admin.post(at, { name: "Kept", time_zone: "Nowhere" });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('value="Kept"');
    expect((await admin.post(at, { name: "Acme", time_zone: "UTC", plan: "scale" })).status).toBe(400);
    expect((await (await customer.member("agent")).post(at, { name: "Mine", time_zone: "UTC" })).status).toBe(403);
  });
});

it("The page for a forgotten password tells the user to ask a workspace owner, and links to the reset form", async () => {
  const visitor = new Visitor(new World());
  expect((await visitor.get("/console/sign-in")).body).toContain('href="/console/forgot-password"');
  const page = await visitor.get("/console/forgot-password");
  expect(page.body).toContain("Ask a workspace owner");
  expect(page.body).toContain('href="/console/reset"');
});
