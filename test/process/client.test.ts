import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { Tidings } from "../../sdk/src/index.ts";
import { makeProject } from "./client-project.ts";
import { eventually, freePort, newStateDir, type Service, sharedService } from "./service.ts";

const run = promisify(execFile);
const { dir: project, remove } = newStateDir();
let service: Service;

beforeAll(async () => {
  [service] = await Promise.all([sharedService(), makeProject(project)]);
});
afterAll(remove);

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
});

/** The operations of the public API, by name, with their paths. */
const operations = Object.entries(document.parse(JSON.parse(readFileSync("sdk/openapi.json", "utf8"))).paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      name: operationId,
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "[\\w]+")}$`),
    })),
);
const publicOperations = operations.map(({ name }) => name).filter((name) => !name.startsWith("manage."));

const namesOf = (requests: string[]) => {
  const found = requests.map((request) => operations.find(({ pattern }) => pattern.test(request))?.name ?? request);
  return [...new Set(found)].toSorted();
};

async function makeSetting() {
  const { key } = await service.account(500, 1);
  return { baseUrl: service.url, apiKey: key, closedUrl: `http://localhost:${await freePort()}/` };
}

describe("Installed package", () => {
  it("The installed client package compiles in a strict project, without browser types and with checks of libraries", async () => {
    const tsc = run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", join(project, "client")]);
    const { stdout } = await tsc.catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("The installed client package calls every operation of the public API in Node", async () => {
    const setting = JSON.stringify(await makeSetting());
    const { stdout } = await run(process.execPath, [join(project, "client/in-node.ts"), setting]);
    expect(namesOf(JSON.parse(stdout))).toEqual(publicOperations.toSorted());
  });

  it("The command line of the installed client package can call the API", async () => {
    const { key } = await service.account(500, 1);
    const env = { ...process.env, TIDINGS_BASE_URL: service.url, TIDINGS_API_KEY: key };
    const { stdout } = await run(join(project, "node_modules/.bin/tidings"), ["me", "get"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, workspace: { name: "Acme" } });
  });

  it("The installed client package calls every operation of the public API in a Worker", async () => {
    const entryPoints = [join(project, "client/in-worker.ts")];
    const { outputFiles } = await build({
      entryPoints,
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: outputFiles[0]?.text ?? "",
        compatibilityDate: "2026-01-01",
      }),
    );
    onTestFinished(() => worker.dispose());
    const body = JSON.stringify(await makeSetting());
    const answer = await worker.dispatchFetch("http://worker/", { method: "POST", body });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    expect(namesOf(JSON.parse(text))).toEqual(publicOperations.toSorted());
  });
});

describe("Shop example", () => {
  it("The example shop notifies a customer once about an order, replies to the customer's message, and has one webhook after two set-ups", async () => {
    const { key, workspaceId, connectionId } = await service.account(500, 1);
    const port = await freePort();
    const shopUrl = `http://localhost:${port}`;
    const env = { ...process.env, TIDINGS_BASE_URL: service.url, TIDINGS_API_KEY: key, SHOP_URL: shopUrl };
    const setUp = () => run(process.execPath, [join(project, "shop/setup.ts")], { env });
    await setUp();
    const { stdout } = await setUp();
    const client = new Tidings({ baseUrl: service.url, apiKey: key });
    const { webhooks } = await client.webhooks.list();
    expect(webhooks.map(({ url }) => url)).toEqual([`${shopUrl}/webhooks`]);
    const secret = /^TIDINGS_WEBHOOK_SECRET=(whsec_\S+)$/m.exec(stdout)?.[1];
    const shop = spawn(process.execPath, [join(project, "shop/server.ts")], {
      env: { ...env, PORT: String(port), TIDINGS_WEBHOOK_SECRET: secret },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void shop.kill());
    await once(shop.stdout, "data");

    const post = async (path: string, body = "") => {
      const answer = await fetch(shopUrl + path, { method: "POST", body });
      return { status: answer.status, body: await answer.text() };
    };
    for (const wrong of ["{", "{}", '{"phone": "+1 555 010 1234"}', "null"])
      expect(await post("/orders", wrong)).toEqual({ status: 400, body: "" });
    const order = JSON.stringify({ phone: "+1 555 010 1234", item: "Oranges" });
    expect(await post("/orders", order)).toMatchObject({ status: 201, body: expect.stringContaining('"id":"1001"') });
    for (const _ of ["first", "again"]) {
      const shipped = expect.stringMatching(/"status":"shipped".*"notified":true/);
      expect(await post("/orders/1001/ship")).toEqual({ status: 200, body: shipped });
    }
    expect(await post("/webhooks", "{}")).toEqual({ status: 401, body: "" });

    const { connections } = (await service.operator()).manage;
    await connections.simulate(workspaceId, connectionId, { from: "+15550101234", text: "Where is it?" });
    const deliveries = await eventually("The shop's answer", 30_000, async () => {
      const outbox = await connections.outbox(workspaceId, connectionId);
      return outbox.deliveries.length >= 2 ? outbox.deliveries : null;
    });
    expect(deliveries.map(({ to, body }) => `${to}: ${body}`).toSorted()).toEqual([
      "+15550101234: Your order 1001 (Oranges) has been shipped. It takes two days to arrive.",
      "+15550101234: Your order 1001 (Oranges) is on its way.",
    ]);

    // The sandbox echoes messages to this number.
    await post("/orders", JSON.stringify({ phone: "+1 555 010 0006", item: "Plums" }));
    const shipped = z.object({ order: z.object({ contactId: z.string() }) });
    const { order: echoed } = shipped.parse(JSON.parse((await post("/orders/1002/ship")).body));
    const [webhook] = webhooks;
    await eventually("The delivery of both echoes", 30_000, async () => {
      const { deliveries: made } = await client.webhooks.deliveries(webhook?.id ?? "", { state: "succeeded" });
      return made.length >= 3 || null;
    });
    const { messages } = await client.messages.list({ contact_id: echoed.contactId });
    expect(messages.filter(({ from_contact }) => !from_contact)).toHaveLength(2);
  });
});
