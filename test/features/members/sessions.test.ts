import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { newEncryptionKey } from "../../support/encryption-keys.ts";
import { PASSWORD, Visitor } from "../../support/visitor.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

const MINUTE = 60_000;
const isSignedIn = async (visitor: Visitor) => (await visitor.request("GET", "/console/password")).status === 200;

describe("Sign-in", () => {
  it("Sign-in accepts the email in any case and redirects to the requested page", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    const ada = new Visitor(customer.world, email.toUpperCase());
    const wanted = `/console/${customer.workspaceId}/settings/members`;
    const asked = await ada.request("GET", wanted);
    expect(asked.status).toBe(303);
    const at = asked.headers.get("Location") ?? "";
    expect(at).toBe(`/console/sign-in?next=${encodeURIComponent(wanted)}`);
    await ada.get(at);
    const answer = await ada.post(at, { email: ada.email, password: PASSWORD });
    expect(answer.headers.get("Location")).toBe(wanted);
    expect((await ada.get(wanted)).body).toContain(email);
  });

  it("Sign-in never redirects outside the console", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    for (const next of [
      "https://evil.example/console",
      "//evil.example",
      "/consoles",
      "/docs",
      "\\evil",
      "/console/../docs",
    ]) {
      const path = `/console/sign-in?next=${encodeURIComponent(next)}`;
      const answer = await new Visitor(customer.world, email).post(path, { email, password: PASSWORD });
      expect(answer.headers.get("Location"), next).toBe("/console");
    }
  });

  it("Sign-in redirects only to the console, whatever characters the requested URL contains", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    for (const [next, to] of [
      ["/console/\r\nx:y", "/console/x:y"],
      ["/console/ñ", "/console/%C3%B1"],
    ] as const) {
      const path = `/console/sign-in?next=${encodeURIComponent(next)}`;
      const visitor = new Visitor(customer.world, email);
      const answers = [await visitor.post(path, { email, password: PASSWORD }), await visitor.request("GET", path)];
      for (const { status, headers } of answers) expect([status, headers.get("Location")]).toEqual([303, to]);
    }
  });

  it("A wrong email and a wrong password return the same error, and the form keeps the email", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    for (const [who, password] of [
      [email, "wrong password"],
      ["nobody@example.com", PASSWORD],
      ["not an email", PASSWORD],
    ] as const) {
      const answer = await new Visitor(customer.world, who).signIn(password);
      expect(answer.status, who).toBe(401);
      expect(answer.body).toContain("The email or password is incorrect.");
      expect(answer.body).toContain(`value="${who}"`);
      expect(answer.body).not.toContain(password);
    }
  });

  it("The session cookie is hidden from scripts, other sites and plain http", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    const plain = await new Visitor(customer.world, email).signIn();
    expect(plain.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^tidings=[\w.-]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^tidings-device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const body = new URLSearchParams({ email, password: PASSWORD });
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const secure = await customer.world.secure("/console/sign-in", {
      method: "POST",
      headers,
      body,
      redirect: "manual",
    });
    expect(secure.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-tidings=[\w.-]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(
        /^__Host-tidings-device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it("Sign-in rejects forms of other sites", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    const ada = new Visitor(customer.world, email);
    expect((await ada.signIn(PASSWORD, { headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
    const old = { "Sec-Fetch-Site": "", Origin: "http://evil.example" };
    expect((await ada.signIn(PASSWORD, { headers: old })).status).toBe(403);
    expect(await isSignedIn(ada)).toBe(false);
  });

  it("Sign-in is blocked after five wrong passwords from one address, even if they are concurrent", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    const ada = new Visitor(customer.world, email);
    const tries = await Promise.all(Array.from({ length: 12 }, () => ada.signIn("wrong password")));
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    const refused = await ada.signIn();
    expect(refused.status).toBe(429);
    expect(refused.body).toContain("Too many attempts. Try again in 15 minutes.");

    const spoofed = { headers: { "X-Forwarded-For": "198.51.100.7", Forwarded: "for=198.51.100.7" } };
    expect((await ada.signIn(PASSWORD, spoofed)).status).toBe(429);
    expect((await ada.signIn(PASSWORD, { from: "198.51.100.7" })).status).toBe(303);
    customer.world.advance(15 * MINUTE);
    expect((await new Visitor(customer.world, email).signIn()).status).toBe(303);
  });

  it("A correct password does not count as a sign-in attempt", async () => {
    const customer = await new World().customer();
    const { email } = await customer.member("owner");
    for (let round = 0; round < 8; round++) {
      expect((await new Visitor(customer.world, email).signIn()).status).toBe(303);
    }
  });

  it("Sign-in attempts are limited per address across all accounts, and per account across all addresses", async () => {
    const world = new World();
    const from = "203.0.113.9";
    const now = Date.now() + 15 * MINUTE;
    const put = (key: string, count: number) =>
      env.DB.prepare("INSERT INTO sign_in_attempts VALUES (?, ?, ?)").bind(key, count, now).run();
    await put(`address ${from}`, 49);
    expect((await new Visitor(world).signIn("wrong password", { from })).status).toBe(401);
    expect((await new Visitor(world).signIn("wrong password", { from })).status).toBe(429);
    const known = new Visitor(world);
    await put(`account ${known.email}`, 99);
    expect((await known.signIn("wrong password", { from: "203.0.113.10" })).status).toBe(401);
    expect((await known.signIn("wrong password", { from: "203.0.113.11" })).status).toBe(429);
  });
});

describe("Sessions", () => {
  it("A session ends after seven days", async () => {
    const customer = await new World().customer();
    const ada = await customer.member("owner");
    customer.world.advance(7 * 24 * 60 * MINUTE - 1000);
    expect(await isSignedIn(ada)).toBe(true);
    customer.world.advance(1000);
    expect(await isSignedIn(ada)).toBe(false);
    expect(await ada.manage("GET", `/workspaces/${customer.workspaceId}`)).toMatchObject({
      status: 401,
      body: { error: { message: "Your session has ended. Sign in again." } },
    });
  });

  it("Signing out ends the session, and signing out everywhere ends all sessions of the user", async () => {
    const customer = await new World().customer();
    const first = await customer.member("owner");
    const stolen = new Visitor(customer.world, first.email);
    stolen.cookies.set("tidings", first.cookies.get("tidings") ?? "");
    const [second, third] = [new Visitor(customer.world, first.email), new Visitor(customer.world, first.email)];
    for (const visitor of [second, third]) {
      await visitor.signIn();
      await visitor.get("/console");
    }
    expect((await first.post("/console/sign-out")).headers.get("Location")).toBe("/console/sign-in");
    expect(await isSignedIn(stolen)).toBe(false);
    expect(await isSignedIn(second)).toBe(true);

    await second.post("/console/sign-out-everywhere");
    expect((await second.get("/console/sign-in")).body).toContain("You&#39;re signed out on all devices.");
    expect(await isSignedIn(third)).toBe(false);
  });

  it("Changing the password requires the current password and ends every other session", async () => {
    const customer = await new World().customer();
    const ada = await customer.member("owner");
    const other = new Visitor(customer.world, ada.email);
    await other.signIn();
    const next = "staple battery horse";
    const change = (fields: Record<string, string>) =>
      ada.post("/console/password", { current_password: PASSWORD, new_password: next, repeated: next, ...fields });
    for (const [fields, said] of [
      [{ current_password: "wrong password" }, "The password is incorrect."],
      [{ new_password: "short", repeated: "short" }, "Must have at least 10 characters."],
      [{ repeated: "something else" }, "The passwords do not match."],
    ] as const) {
      const refused = await change(fields);
      expect(refused.status).toBe(400);
      expect(refused.body).toContain(said);
    }
    expect((await change({})).status).toBe(303);
    expect(await isSignedIn(ada)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
    expect((await other.signIn()).status).toBe(401);
    expect((await other.signIn(next)).status).toBe(303);
  });

  it("A session remains valid after a rotation of ENCRYPTION_KEY while the previous key is configured", async () => {
    const world = new World();
    const customer = await world.customer();
    const ada = await customer.member("owner");
    const rotated = new World({
      ENCRYPTION_KEY: newEncryptionKey(),
      ENCRYPTION_KEY_PREVIOUS: world.env.ENCRYPTION_KEY,
    });
    const later = new Visitor(rotated, ada.email);
    later.cookies.set("tidings", ada.cookies.get("tidings") ?? "");
    expect(await isSignedIn(later)).toBe(true);
    const forgotten = new Visitor(new World({ ENCRYPTION_KEY: newEncryptionKey() }), ada.email);
    forgotten.cookies.set("tidings", ada.cookies.get("tidings") ?? "");
    expect(await isSignedIn(forgotten)).toBe(false);
  });

  it("Passwords are stored as slow hashes, each with its own salt", async () => {
    const customer = await new World({ FAST_PASSWORDS: "false" }).customer();
    await Promise.all([customer.invitedMember("owner"), customer.invitedMember("agent")]);
    const { results } = await env.DB.prepare("SELECT password FROM accounts ORDER BY created_at DESC LIMIT 2").all<{
      password: string;
    }>();
    const hashes = results.map(({ password }) => password);
    expect(new Set(hashes).size).toBe(2);
    for (const hash of hashes) expect(hash).toMatch(/^scrypt2\.[\w-]{22}\.[\w-]{43}$/);
  });
});
