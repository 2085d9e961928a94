import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { serve } from "./local-server.ts";
import { type Service, sharedService } from "./service.ts";

// Tests the OpenAPI document against the demo workspace that `npm start` creates.

const parameter = z.object({ name: z.string(), in: z.string(), example: z.string().optional() });
const reference = z.object({ $ref: z.string() });
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z
    .object({ content: z.object({ "application/json": z.object({ example: z.unknown() }).optional() }) })
    .optional(),
});
const openApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ parameters: z.record(z.string(), parameter) }),
});

interface Request {
  name: string;
  method: string;
  path: string;
  body: unknown;
}

/** Every request with a body in the document. The values are the document's examples. */
function requestsOf({ paths, components }: z.infer<typeof openApi>): Request[] {
  const resolve = (given: z.infer<typeof reference> | z.infer<typeof parameter>) =>
    "$ref" in given ? components.parameters[given.$ref.split("/").at(-1) ?? ""] : given;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters, requestBody }]) => {
      const body = requestBody?.content["application/json"];
      if (body === undefined) return [];
      const filled = parameters
        .map(resolve)
        .filter((given) => given?.in === "path")
        .reduce((text, given) => text.replace(`{${given?.name}}`, given?.example ?? "(no example)"), path);
      return [{ name: operationId, method: method.toUpperCase(), path: filled, body: body.example }];
    }),
  );
}

const outcome = z.object({
  success: z.boolean(),
  counts: z.object({ failed: z.number() }).partial().optional(),
  recipient_count: z.number().optional(),
});

let service: Service;
let requests: Request[];

beforeAll(async () => {
  service = await sharedService();
  const response = await fetch(`${service.url}/openapi.json`);
  requests = requestsOf(openApi.parse(await response.json()));
});

const tokenFor = async (path: string): Promise<string> =>
  path.startsWith("/manage/") ? service.adminToken() : (await service.demo()).key;

it("The demo workspace has one conversation for each person, with labels, a note and a hot contact", async () => {
  const { key } = await service.demo();
  const tidings = service.client(key);
  const { conversations } = await tidings.conversations.list();
  const names = conversations.map(({ contact }) => contact.name);
  expect(names).toEqual(["Ada Okafor", "Bruno Lima", "Jörg Weiß", "Grace Lindqvist", "Chloe Evans"]);
  expect(conversations[0]).toMatchObject({ labels: ["Delivery"], unread_count: 0, assignee: { name: "Demo Owner" } });
  const { messages } = await tidings.conversations.messages(conversations[0]?.id ?? "", { include: "notes" });
  expect(messages.map(({ type }) => type)).toContain("note");

  const { templates } = await tidings.templates.list({ source: "local" });
  const audience = { template_id: templates[0]?.id ?? "", channel: "unofficial", filter_status: "hot" } as const;
  expect((await tidings.campaigns.preview(audience)).recipient_count).toBe(1);
});

it("Every example body of the OpenAPI document succeeds when it is sent to the demo workspace", async () => {
  expect(requests.length).toBeGreaterThan(40);
  // The upload example fetches a file from the web. The test replaces it with a local file.
  const file = await serve((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF-1.7\n");
  });
  const failures: unknown[] = [];
  for (const { name, method, path, body } of requests) {
    const sent = name === "media.upload" ? { url: file } : body;
    const answer = await service.request(method, path, await tokenFor(path), sent);
    const text = await answer.text();
    const { success, counts, recipient_count } = outcome.parse(JSON.parse(text));
    if (!success || (counts?.failed ?? 0) > 0 || recipient_count === 0) failures.push({ name, path, text });
  }
  expect(failures).toEqual([]);
});
