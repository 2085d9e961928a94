import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

async function visit() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  return { customer, admin, at: `/console/${customer.workspaceId}/settings/requests` };
}

describe("Page of API requests", () => {
  it("The request log shows the key and the result of a request, and links to the key and to the documentation of the error", async () => {
    const { customer, admin, at } = await visit();
    expect((await admin.get(at)).body).toContain("No requests yet");
    await customer.call("GET", "/contacts?search=Ada");
    await customer.call("GET", "/contacts/ada@example.com");
    const list = await admin.get(at);
    for (const shown of [
      "/api/v1/contacts?search",
      "/api/v1/contacts/…",
      "not_found",
      `Test (${customer.key.slice(-4)})`,
    ])
      expect(list.body).toContain(shown);
    for (const hidden of ["Ada", "ada@"]) expect(list.body).not.toContain(`${hidden}"`);
    const detail = await admin.get(`${at}/2`);
    expect(detail.body).toContain('href="/docs/errors#not_found"');
    expect(detail.body).toContain(`/settings/api-keys/${customer.keyId}`);
    expect(detail.body).toContain("/api/v1/contacts/:id");
  });

  it("The request log can be filtered by key, status and path", async () => {
    const { customer, admin, at } = await visit();
    await customer.call("GET", "/tags");
    await customer.call("GET", "/nowhere");
    const refused = await admin.get(`${at}?status=4xx&key_id=&path=`);
    expect(refused.body).toContain("/api/v1/nowhere");
    expect(refused.body).not.toContain("/api/v1/tags");
    expect((await admin.get(`${at}?path=contacts`)).body).toContain("No matching requests");
    expect((await admin.get(`${at}?key_id=${customer.keyId}&path=tags`)).body).toContain("/api/v1/tags");
  });

  it("The request log is visible only to admins, and an unknown request returns 404", async () => {
    const { customer, admin, at } = await visit();
    for (const number of ["1", "0", "none"]) expect((await admin.get(`${at}/${number}`)).status).toBe(404);
    await customer.call("GET", "/tags");
    const answers = await Promise.all(["1", "1e0", "0x1", "%201"].map((number) => admin.get(`${at}/${number}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404]);
    expect((await (await customer.member("agent")).get(at)).status).toBe(403);
  });
});
