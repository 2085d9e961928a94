import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { SAMPLE_PORT, verificationSamples } from "../../src/console/pages/webhooks/verification-code.ts";
import { signedHeaders } from "../../src/features/webhooks/webhooks.signing.ts";
import { type Account, eventually, freePort, makeStateDir, type Service, sharedService } from "./service.ts";

const made = z.object({ webhook: z.object({ id: z.string() }), secret: z.string() });
const tested = z.object({ attempt: z.object({ status: z.number().nullable(), error: z.string().nullable() }) });

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await sharedService();
  account = await service.account(500, 1);
});

async function call(method: string, path: string, body?: object): Promise<unknown> {
  return (await service.request(method, `/api/v1${path}`, account.key, body)).json();
}

const newWebhook = async (port: number) =>
  made.parse(await call("POST", "/webhooks", { url: `http://localhost:${port}/`, types: ["webhook.*"] }));

const sampleOf = (id: string, secret: string, port: number): string =>
  (verificationSamples(secret).find((each) => each.id === id)?.text ?? "").replaceAll(
    String(SAMPLE_PORT),
    String(port),
  );

const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** Runs a sample that is a server, and returns its output. */
async function runReceiver(program: string, args: string[], port: number): Promise<() => string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += chunk));
  child.stderr.on("data", (chunk) => (printed += chunk));
  onTestFinished(() => void child.kill());
  await eventually("The receiver", 20_000, () =>
    fetch(`http://localhost:${port}/`, { method: "POST", body: "{}" }).then(
      ({ status }) => (status === 401 ? true : null),
      () => null,
    ),
  );
  return () => printed;
}

interface Delivery {
  headers: Record<string, string>;
  body: string;
}

/** Receives one test request and returns it unchanged. */
async function receiveDelivery(): Promise<Delivery & { secret: string }> {
  const port = await freePort();
  const { webhook, secret } = await newWebhook(port);
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      deliveries.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  onTestFinished(() => void server.close());
  await call("POST", `/webhooks/${webhook.id}/test`);
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error("Nothing has arrived.");
  await call("DELETE", `/webhooks/${webhook.id}`);
  return { ...delivery, secret };
}

const receivers = [
  { id: "node", program: process.execPath, file: "receiver.mjs", args: (file: string) => [file] },
  { id: "python", program: "python3", file: "receiver.py", args: (file: string) => [file] },
  {
    id: "php",
    program: "php",
    file: "receiver.php",
    args: (file: string, port: number) => ["-S", `localhost:${port}`, file],
  },
];

describe.each(receivers)("Sample for $id", ({ id, program, file, args }) => {
  test.skipIf(!isInstalled(program))(
    "The sample code accepts deliveries, and rejects requests that are unsigned or were signed long ago",
    async () => {
      const port = await freePort();
      const { webhook, secret } = await newWebhook(port);
      const path = join(makeStateDir(), file);
      writeFileSync(path, sampleOf(id, secret, port));
      const printed = await runReceiver(program, args(path, port), port);
      const { attempt } = tested.parse(await call("POST", `/webhooks/${webhook.id}/test`));
      expect(attempt).toEqual({ status: 204, error: null });
      await call("PATCH", `/webhooks/${webhook.id}`, { description: "Größe ✓" });
      await eventually("The event", 20_000, () => (printed().includes("webhook.updated") ? true : null));

      await call("POST", `/webhooks/${webhook.id}/rotate-secret`, { overlap_seconds: 3600 });
      const after = tested.parse(await call("POST", `/webhooks/${webhook.id}/test`));
      expect(after.attempt.status).toBe(204);
      await call("POST", `/webhooks/${webhook.id}/rotate-secret`, { overlap_seconds: 0 });
      const cut = tested.parse(await call("POST", `/webhooks/${webhook.id}/test`));
      expect(cut.attempt.status).toBe(401);
      await call("DELETE", `/webhooks/${webhook.id}`);

      const sign = (now: number) => signedHeaders({ id: "evt_1", body: "{}", now }, [secret]);
      const send = async (headers: Record<string, string>, body = "{}") =>
        (await fetch(`http://localhost:${port}/`, { method: "POST", headers, body })).status;
      expect(await send(sign(Date.now()))).toBe(204);
      expect(await send(sign(Date.now()), "{ }")).toBe(401);
      expect(await send(sign(Date.now() - 301_000))).toBe(401);
      expect(await send({ ...sign(Date.now()), "webhook-timestamp": "now" })).toBe(401);
    },
  );
});

describe("Sample for curl and openssl", () => {
  test("The sample for curl and openssl detects a changed webhook delivery, and sends signed requests", async () => {
    const { headers, body, secret } = await receiveDelivery();
    const dir = makeStateDir();
    const port = await freePort();
    const [script, saved, receiver] = ["webhook.sh", "body.json", "receiver.mjs"].map((name) => join(dir, name));
    writeFileSync(script ?? "", sampleOf("shell", secret, port));
    const verify = (text: string) => {
      writeFileSync(saved ?? "", text);
      const given = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers[name] ?? "");
      const { status, stdout } = spawnSync("sh", [script ?? "", "verify", ...given, saved ?? ""]);
      return { status, said: String(stdout).trim() };
    };
    expect(verify(body)).toEqual({ status: 0, said: "The signature is right." });
    expect(verify(`${body} `)).toEqual({ status: 1, said: "The signature is wrong." });

    writeFileSync(receiver ?? "", sampleOf("node", secret, port));
    await runReceiver(process.execPath, [receiver ?? ""], port);
    const sent = spawnSync("sh", [script ?? "", "send", `http://localhost:${port}/`]);
    expect(String(sent.stdout)).toMatch(/^HTTP\/1\.1 204/m);
  });
});
