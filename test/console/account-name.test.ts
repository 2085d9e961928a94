import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { written } from "../support/inbox.ts";
import { World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

describe("Name of a user", () => {
  it("A user changes their name once for all workspaces, and colleagues see the new name", async () => {
    const customer = await new World().customer();
    const [agent, other] = [await customer.member("agent"), await customer.member("owner")];
    await agent.get("/console/name");
    const saved = await agent.post("/console/name", { name: "  Ada Lovelace " });
    expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/console/name"]);
    expect((await agent.get("/console/name")).body).toMatch(/<input [^>]*name="name"[^>]*value="Ada Lovelace"/);
    expect((await other.get(`/console/${customer.workspaceId}/settings/members`)).body).toContain("Ada Lovelace");
    const { members } = (await customer.call("GET", "/members")).body;
    expect(members.map(({ name }: { name: string }) => name)).toContain("Ada Lovelace");
  });

  it("Messages that a user sent earlier also show the user's new name", async () => {
    const customer = await new World().customer();
    const [agent, id] = [await customer.member("agent", "Ada"), await written(customer)];
    await customer.call("PATCH", `/conversations/${id}`, { assignee_id: agent.userId });
    await customer.call("POST", `/conversations/${id}/notes`, { body: "Ask @Ada." });
    await agent.get("/console/name");
    for (const name of ["Ada Lovelace", "Ada Lovelace", "Ada King"]) {
      expect((await agent.post("/console/name", { name })).status).toBe(303);
      const { conversation } = (await customer.call("GET", `/conversations/${id}`)).body;
      expect(conversation.assignee).toEqual({ id: agent.userId, name });
      const { messages } = (await customer.call("GET", `/conversations/${id}/messages?include=notes`)).body;
      const note = messages.find(({ type }: { type: string }) => type === "note"); // the clock is stopped, so both have the same time
      expect(note.mentions).toEqual([{ id: agent.userId, name }]);
    }
  });

  it("A user's name cannot be empty, and no other user can change it", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const before = (await agent.get("/console/name")).body;
    for (const name of ["", "   ", "a".repeat(201)])
      expect((await agent.post("/console/name", { name })).status).toBe(400);
    expect((await agent.post("/console/name", { name: "Ada", user_id: "usr_other" })).status).toBe(400);
    const field = /<input [^>]*name="name"[^>]*value="[^"]*"/;
    expect(field.exec((await agent.get("/console/name")).body)?.[0]).toBe(field.exec(before)?.[0]);
  });
});
