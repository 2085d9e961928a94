import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { Visitor } from "../../support/visitor.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });

describe("Members", () => {
  it("Owners manage everything except the plan, admins everything except members, and agents nothing", async () => {
    const customer = await new World().customer();
    const [owner, admin, agent] = [
      await customer.member("owner"),
      await customer.member("admin"),
      await customer.member("agent"),
    ];
    const at = `/workspaces/${customer.workspaceId}`;
    const member = `${at}/members/${agent.userId}`;
    const calls: [string, string, object | undefined, string[]][] = [
      ["GET", at, undefined, ["owner", "admin"]],
      ["PATCH", at, { name: "Renamed" }, ["owner", "admin"]],
      ["PATCH", at, { plan: "scale" }, []],
      ["GET", `${at}/connections`, undefined, ["owner", "admin"]],
      ["GET", `${at}/api-keys`, undefined, ["owner", "admin"]],
      ["GET", `${at}/events/dead`, undefined, ["owner", "admin"]],
      ["GET", `${at}/members`, undefined, ["owner"]],
      ["PATCH", member, { role: "agent" }, ["owner"]],
      ["POST", `${member}/reset-link`, undefined, ["owner"]],
      ["POST", `${member}/confirm`, undefined, []],
      ["GET", `${at}/invitations`, undefined, ["owner"]],
      ["POST", `${at}/invitations`, { email: "x@example.com", role: "agent" }, ["owner"]],
      ["GET", "/workspaces", undefined, []],
      ["POST", "/workspaces", { name: "Mine" }, []],
    ];
    for (const [method, path, body, allowed] of calls) {
      for (const [role, visitor] of Object.entries({ owner, admin, agent })) {
        const answer = await visitor.manage(method, path, body);
        const expected = allowed.includes(role) ? { body: { success: true } } : refusal(403, "forbidden");
        expect(answer, `${role}: ${method} ${path} ${JSON.stringify(body)}`).toMatchObject(expected);
      }
    }
    expect((await customer.manage("GET", "")).body.workspace).toMatchObject({ name: "Renamed", plan: "growth" });
  });

  it("A member gets the same error for unknown workspaces and for workspaces of other people", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const owner = await mine.member("owner");
    for (const id of [theirs.workspaceId, "ws_unknown"]) {
      const answer = await owner.manage("GET", `/workspaces/${id}/api-keys`);
      expect(answer).toMatchObject(refusal(403, "forbidden"));
      expect(answer.body.error.message).toBe("You are not a member of this workspace.");
    }
  });

  it("An owner lists, changes and removes members, and each change applies to the member's next request", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner", "Olga");
    customer.world.advance(1);
    const other = await customer.member("agent", "Ben");
    const at = `/workspaces/${customer.workspaceId}`;
    expect((await owner.manage("GET", `${at}/members`)).body.members).toEqual([
      {
        id: owner.userId,
        name: "Olga",
        email: owner.email,
        role: "owner",
        is_confirmed: false,
        created_at: expect.any(String),
      },
      {
        id: other.userId,
        name: "Ben",
        email: other.email,
        role: "agent",
        is_confirmed: false,
        created_at: expect.any(String),
      },
    ]);
    const first = (await owner.manage("GET", `${at}/members?limit=1`)).body;
    const second = (await owner.manage("GET", `${at}/members?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first, second].map(({ members }) => members.map(({ name }: { name: string }) => name))).toEqual([
      ["Olga"],
      ["Ben"],
    ]);
    expect(second.next_cursor).toBeNull();

    expect((await other.manage("GET", at)).status).toBe(403);
    const changed = await owner.manage("PATCH", `${at}/members/${other.userId}`, { role: "admin" });
    expect(changed.body.member).toMatchObject({ id: other.userId, role: "admin" });
    expect((await other.manage("GET", at)).status).toBe(200);

    expect((await owner.manage("DELETE", `${at}/members/${other.userId}`)).body.member.name).toBe("Ben");
    expect((await other.manage("GET", at)).status).toBe(403);
    expect(await owner.manage("DELETE", `${at}/members/${other.userId}`)).toMatchObject(refusal(404, "not_found"));
  });

  it("The last owner cannot be removed or changed", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const path = `/members/${owner.userId}`;
    for (const refused of [
      await customer.manage("PATCH", path, { role: "admin" }),
      await customer.manage("DELETE", path),
    ]) {
      expect(refused).toMatchObject({
        status: 409,
        body: { error: { code: "invalid_state", details: { status: "last_owner" } } },
      });
    }
    expect((await customer.manage("PATCH", path, { role: "owner" })).status).toBe(200);
    const second = await customer.member("owner");
    const both = await Promise.all([
      customer.manage("DELETE", path),
      customer.manage("DELETE", `/members/${second.userId}`),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe("Sessions on the management API", () => {
  it("The management API accepts a change from a session only with the session's CSRF token, and not from pages of other sites", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const path = `/workspaces/${customer.workspaceId}`;
    const rename = (headers: Record<string, string>) => owner.manage("PATCH", path, { name: "Taken" }, headers);
    const stranger = await customer.member("owner");
    for (const headers of [
      { "X-CSRF-Token": "" },
      { "X-CSRF-Token": stranger.token },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
    ]) {
      expect(await rename(headers), JSON.stringify(headers)).toMatchObject(refusal(403, "forbidden"));
    }
    expect((await owner.manage("GET", path, undefined, { "X-CSRF-Token": "" })).body.workspace.name).toBe("Acme");
    expect((await rename({})).body.workspace.name).toBe("Taken");
  });

  it("A session cookie is rejected if it is forged, if its session has ended, or if the bearer token is wrong", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const path = `/workspaces/${customer.workspaceId}`;
    const [token = "", signature = ""] = owner.cookies.get("tidings")?.split(".") ?? [];
    for (const cookie of [`${token}x.${signature}`, `${token}.${signature}x`, token, ".", `x.${signature}`]) {
      const visitor = new Visitor(customer.world);
      visitor.cookies.set("tidings", cookie);
      const answer = await visitor.manage("GET", path);
      expect(answer, cookie).toMatchObject(refusal(401, "unauthorized"));
      expect(answer.headers.get("Server-Timing")).toContain("trips=0");
    }
    expect(await owner.manage("GET", path, undefined, { Authorization: "Bearer wrong" })).toMatchObject(
      refusal(401, "unauthorized"),
    );
    expect((await owner.manage("GET", path)).status).toBe(200);
  });
});
