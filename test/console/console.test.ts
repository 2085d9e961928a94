import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { PASSWORD, Visitor } from "../support/visitor.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

const membersPage = (customer: Customer) => `/console/${customer.workspaceId}/settings/members`;

describe("Console pages", () => {
  it("A console page allows only its own scripts and styles, is not cached, and stays within its number of queries", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const { headers, body } = await owner.get(membersPage(customer));
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy.split("; ")).toEqual(expect.arrayContaining(["script-src 'self'", "connect-src 'self'"]));
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("Cache-Control")).toBe("no-store");
    // The page reads the session, members, invitations and the unread count in parallel.
    expect(headers.get("Server-Timing")).toContain("trips=4");
    expect(body).not.toMatch(/ style=| on\w+="/);
    expect(body.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/type="module" src="\/console\/assets\/[0-9a-f]{12}\/console.client.js"/),
    ]);
  });

  it("A malformed form returns an error about the form, even to a user who is not signed in", async () => {
    const visitor = new Visitor(new World());
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=none"]) {
      const { status, body } = await visitor.request("POST", "/console/sign-in", "no parts", {
        headers: { "Content-Type": type },
      });
      expect(status, type).toBe(400);
      expect(body).toContain("read the form. Go back and send it again.");
      expect(body).not.toContain("Invalid address");
    }
    const boundary = { headers: { "Content-Type": "multipart/form-data; boundary=b" } };
    const part = '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na@example.com\r\n--b--\r\n';
    expect((await visitor.request("POST", "/console/sign-in", part, boundary)).body).toContain("a@example.com");
  });

  it("Assets are in a directory that is named after a hash of their content, and browsers cache them permanently", async () => {
    const visitor = new Visitor(new World());
    const { body } = await visitor.get("/console/sign-in");
    const paths: string[] = body.match(/\/console\/assets\/[^"]+/g);
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const file = await visitor.get(path);
      expect(file.status).toBe(200);
      expect(file.headers.get("Content-Type")).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect((await visitor.get(path.replace(/[0-9a-f]{12}/, "000000000000"))).status).toBe(404);
    }
  });

  it("Every page has an icon, and the icon is also at the path that browsers request by default", async () => {
    const visitor = new Visitor(new World());
    const { body } = await visitor.get("/console/sign-in");
    expect(body).toContain('<link rel="icon" type="image/svg+xml" href="/favicon.ico"/>');
    const icon = await visitor.request("GET", "/favicon.ico");
    expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
    expect(icon.body).toContain("<svg");
  });

  it("Console scripts import other scripts only by relative paths, so that all have the same version", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const page = await agent.get(`/console/${customer.workspaceId}/contacts/import`);
    const found = new Set<string>(page.body.match(/(?<=src=")[^"]+/g));
    for (const path of found) {
      const script = await agent.get(path);
      expect(script.status, path).toBe(200);
      for (const [, name = ""] of script.body.matchAll(/^import .*? from "(.+?)";$/gms)) {
        expect(name).toMatch(/^(?:\.\/|\.\.\/)(?:[a-z]+\/)?[a-z-]+(?:\.client)?\.js$/);
        found.add(new URL(name, `http://tidings.test${path}`).pathname);
      }
    }
    const names = Array.from(found, (path) => path.split("/").at(-1));
    expect(names).toContain("papaparse.js");
    expect(new Set(Array.from(found, (path) => path.split("/")[3])).size).toBe(1);
    expect(names.length).toBeGreaterThan(8);
  });

  it("Without a session, a page redirects to sign-in, and a script receives a JSON error", async () => {
    const customer = await new World().customer();
    const nobody = new Visitor(customer.world);
    expect((await nobody.request("GET", membersPage(customer))).headers.get("Location")).toMatch(
      /^\/console\/sign-in\?next=/,
    );
    const script = await nobody.request("GET", membersPage(customer), undefined, {
      headers: { Accept: "application/json" },
    });
    expect(script).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
  });

  it("An address without a workspace leads to the page in the user's workspace, and users of several workspaces choose one first", async () => {
    const world = new World();
    const [customer, other] = [await world.customer(), await world.customer()];
    const owner = await customer.member("owner");
    const leadsTo = async (path: string) => (await owner.request("GET", path)).headers.get("Location");
    expect(await leadsTo("/console/inbox?status=done")).toBe(`/console/${customer.workspaceId}/inbox?status=done`);
    expect(await leadsTo("/console/settings/api-keys")).toBe(`/console/${customer.workspaceId}/settings/api-keys`);
    await new Visitor(world, owner.email).signInAndJoin(await other.invite(owner.email, "agent"));
    const choice = await owner.get("/console/inbox?status=done");
    for (const { workspaceId } of [customer, other])
      expect(choice.body).toContain(`href="/console/${workspaceId}/inbox?status=done"`);
    const nobody = new Visitor(world);
    expect((await nobody.request("GET", "/console/inbox")).headers.get("Location")).toBe(
      "/console/sign-in?next=%2Fconsole%2Finbox",
    );
  });

  it("A missing page shows that it does not exist, and keeps the menu of signed-in users", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner", "Olga");
    for (const path of ["/console/nothing", `/console/${customer.workspaceId}/nothing`, "/console/a/b/c"]) {
      const answer = await owner.get(path);
      expect(answer.status, path).toBe(404);
      expect(answer.body).toContain("Page not found");
      expect(answer.body).toContain("Olga");
    }
    const odd = await owner.get(`${membersPage(customer)}?cursor=nonsense`);
    expect(odd.status).toBe(400);
    expect((await owner.get(`${membersPage(customer)}?no_such=1`)).status).toBe(400);
    expect((await owner.get(`${membersPage(customer)}?cursor=`)).status).toBe(200);
  });
});

describe("Console forms", () => {
  it("A form without a CSRF token or from another site is rejected", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const invite = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      owner.post(`${membersPage(customer)}/invite`, { email: "x@example.com", role: "agent", ...fields }, { headers });
    expect((await invite({ csrf_token: "" })).status).toBe(403);
    expect((await invite({ csrf_token: (await customer.member("owner")).token })).status).toBe(403);
    expect((await invite({}, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await customer.manage("GET", "/invitations")).body.invitations).toEqual([]);
    expect((await invite({})).status).toBe(200);
  });

  it("A rejected form keeps its values and shows each error next to its field", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const answer = await owner.post(`${membersPage(customer)}/invite`, { email: "not an email", role: "king" });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('value="not an email"');
    expect(answer.body).toMatch(/id="invite-email"[^>]*aria-describedby="invite-email-fault"[^>]*aria-invalid="true"/);
    expect(answer.body).toMatch(
      /<p class="fault" id="invite-email-fault">Must be an email address, like ada@example.com.<\/p>/,
    );
    expect(answer.body).toMatch(/<p class="fault" id="invite-role-fault">/);
  });

  it("A GET request to an address that only accepts forms redirects to the page with the form", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    for (const below of ["/invite", "/usr_1/reset-link"]) {
      const { status, headers } = await owner.request("GET", `${membersPage(customer)}${below}`);
      expect([status, headers.get("Location")]).toEqual([303, membersPage(customer)]);
    }
  });

  it("The result of a form is shown once, on the next page", async () => {
    const customer = await new World().customer();
    const [owner, other] = [await customer.member("owner"), await customer.member("agent", "Ben")];
    const path = membersPage(customer);
    await owner.post(`${path}/${other.userId}/role`, { role: "admin" });
    expect((await owner.get(path)).body).toContain("Ben is now admin.");
    expect((await owner.get(path)).body).not.toContain("Ben is now admin.");
    const refused = await owner.post(
      `${path}/${owner.userId}/remove`,
      {},
      { headers: { Referer: `http://tidings.test${path}` } },
    );
    expect(refused.headers.get("Location")).toBe(path);
    expect((await owner.get(path)).body).toContain("This is the last owner of the workspace");
  });

  it("The console accepts forms from browsers and JSON from scripts", async () => {
    const customer = await new World().customer();
    const owner = await customer.member("owner");
    const send = (body: string, type: string) =>
      owner.request("POST", `${membersPage(customer)}/invite`, body, {
        headers: { "Content-Type": type, Accept: "application/json", "X-CSRF-Token": owner.token },
      });
    expect(await send("email=x", "text/plain")).toMatchObject({ status: 415 });
    expect(await send("{", "application/json")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_json" } },
    });
    expect(await send("{}", "application/json")).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [
            { path: "email", code: "required" },
            { path: "role", code: "required" },
          ],
        },
      },
    });
    const huge = await owner.post("/console/sign-in", { email: "x".repeat(1_100_000), password: PASSWORD });
    expect(huge.status).toBe(413);
  });

  it("A form has no effect if the member lacks the required role", async () => {
    const customer = await new World().customer();
    const [admin, agent] = [await customer.member("admin"), await customer.member("agent")];
    for (const visitor of [admin, agent]) {
      const path = `${membersPage(customer)}/${visitor.userId}/role`;
      expect((await visitor.post(path, { role: "owner" })).status).toBe(403);
    }
    const { members } = (await customer.manage("GET", "/members")).body;
    expect(members.map(({ role }: { role: string }) => role)).not.toContain("owner");
  });
});
