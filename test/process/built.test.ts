import { globSync } from "node:fs";
import { basename } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Tidings } from "../../sdk/src/index.ts";
import { runNode, runWrangler } from "../../scripts/wrangler.ts";
import { startDeployed } from "../bench/deployed.ts";
import { eventually, makeStateDir } from "./service.ts";

describe("Built Worker", () => {
  beforeAll(() => runNode(["scripts/build.ts"], { name: "npm run build" }));

  it("`wrangler deploy` uploads every module of the built Worker, with the bindings of wrangler.toml", async () => {
    const outdir = makeStateDir();
    const printed = await runWrangler(["deploy", "--dry-run", "--outdir", outdir]);
    const modules = (directory: string) =>
      globSync(`${directory}/*.js`)
        .map((path) => basename(path))
        .toSorted();
    expect(modules(outdir)).toEqual(modules("dist/worker"));
    expect(modules(outdir).length).toBeGreaterThan(20);
    for (const binding of ["DB", "CACHE", "MEDIA", "KEY_LIMITER", "EVENTS_QUEUE", "ASSETS"])
      expect(printed).toContain(`env.${binding} `);
  });

  it("The built Worker serves the API, the console and the OpenAPI document, and sends a message", async () => {
    const { product, adminToken, stop } = await startDeployed(makeStateDir());
    onTestFinished(stop);
    const baseUrl = product.origin;
    const { workspaces, connections, apiKeys } = new Tidings({ baseUrl, adminToken }).manage;
    const { workspace } = await workspaces.create({ name: "Acme" });
    const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} } as const;
    const { connection } = await connections.create(workspace.id, sandbox);
    const { key } = await apiKeys.create(workspace.id, { name: "Shop", connection_id: connection.id });
    const { messages } = new Tidings({ baseUrl, apiKey: key });
    const { message_id } = await messages.send({ to: "+14155550100", text: "Hello" });
    await eventually("The delivery", 60_000, async () => {
      const { message } = await messages.get(message_id);
      return message.delivery === "delivered" || message.delivery === "read" || null;
    });
    const document = await fetch(new URL("/openapi.json", product));
    expect(await document.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    const page = await fetch(new URL("/console/sign-in", product));
    expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
  });
});
