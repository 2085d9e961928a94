import { beforeAll, describe, expect, it } from "vitest";
import { createFeatureApp } from "../../src/entrypoints/api.ts";
import { lazyApis, loadEndpoints } from "../../src/entrypoints/features.ts";
import { eventTypes, reservedTypes } from "../../src/features/events/events.types.ts";
import { errorCodes } from "../../src/shared/errors.ts";
import { nodesOf, resolveIn } from "../support/api-document.ts";
import { type Answer, World } from "../support/world.ts";
import kept from "../../sdk/openapi.json";

let document: Answer["body"];

beforeAll(async () => {
  document = (await new World().request("GET", "/openapi.json")).body;
});

const entriesOf = (value: object): [string, Answer["body"]][] => Object.entries(value);

const operations = () =>
  entriesOf(document.paths).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );

const resolve = (value: Answer["body"]) => resolveIn(document, value);

/** Responses with bytes, whole or in part. */
const isFile = (name: string) => name === "GET /api/v1/media/{id}/content";
/** Responses with a file that is generated while it is sent. */
const isWritten = (name: string) => name.endsWith(".csv");

describe("OpenAPI document", () => {
  it("The OpenAPI document has version 3.1 and a description", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const parts = ["components", "info", "openapi", "paths", "servers", "tags", "webhooks"];
    expect(Object.keys(document).toSorted()).toEqual(parts);
  });

  it("The OpenAPI document equals sdk/openapi.json, from which clients are generated", () => {
    expect(document).toEqual(kept);
  });

  it("The OpenAPI document describes exactly the mounted endpoints", async () => {
    const apps = await Promise.all(lazyApis.map((api) => createFeatureApp(api, api.features)));
    const mounted = apps
      .flatMap(({ routes }) => routes)
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect([...new Set(mounted)].toSorted()).toEqual(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it("The path of every endpoint matches the path patterns that load its feature", async () => {
    for (const feature of lazyApis.flatMap(({ features }) => features)) {
      const covers = (path: string) =>
        feature.paths.some((pattern) =>
          pattern.endsWith("/*") ? `${path}/`.startsWith(pattern.slice(0, -1)) : path === pattern,
        );
      for (const { path } of await loadEndpoints([feature])) expect(covers(path), path).toBe(true);
    }
  });

  it("Every reference in the OpenAPI document has a target", () => {
    const references = [...nodesOf(document)].flatMap(({ at, node }) =>
      typeof node["$ref"] === "string" ? [[at, node["$ref"]]] : [],
    );
    expect(references.length).toBeGreaterThan(10);
    for (const [at, reference] of references) {
      const [, kind = "", name = ""] =
        /^#\/components\/(schemas|headers|parameters|responses)\/(\w+)$/.exec(String(reference)) ?? [];
      expect(document.components[kind]?.[name], `${at}: ${reference}`).toBeDefined();
    }
  });

  it("Every operation in the OpenAPI document has a unique id, a tag, a summary, security and responses", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, path, operation } of operations()) {
      const prefix = path.startsWith("/manage/") ? "manage\\." : "";
      expect(operation.operationId, name).toMatch(new RegExp(`^${prefix}[a-z][A-Za-z]*\\.[a-z][A-Za-z]*$`));
      expect(operation.tags, name).toEqual([expect.stringMatching(/^\w/)]);
      expect(operation.summary, name).toMatch(/^[A-Z]/);
      const scheme = path.startsWith("/api/") ? "apiKey" : "operatorToken";
      const isOfOperator = /^(GET|POST) \/manage\/v1\/(workspaces|status)$|\/confirm$/.test(name);
      const isOfMembers = scheme === "operatorToken" && !isOfOperator;
      expect(operation.security, name).toEqual([{ [scheme]: [] }, ...(isOfMembers ? [{ session: [] }] : [])]);
      if (isOfMembers) expect(operation.description, name).toMatch(/Requires the (owner|admin or owner) role\.$/);
      expect(document.components.securitySchemes[scheme]).toMatchObject({ type: "http", scheme: "bearer" });
      const statuses = Object.keys(operation.responses);
      expect(
        statuses.filter((status) => /^2\d\d$/.test(status)),
        name,
      ).toHaveLength(["POST /api/v1/contacts", "POST /api/v1/conversations"].includes(name) || isFile(name) ? 2 : 1);
      for (const status of ["400", "401", "404", "405", "500", "503"]) expect(statuses, name).toContain(status);
      expect(statuses.includes("429"), name).toBe(scheme === "apiKey");
      expect(statuses.includes("415"), name).toBe(!name.startsWith("GET"));
    }
  });

  it("Every operation in the OpenAPI document declares its path parameters, and an Idempotency-Key if it supports one", () => {
    for (const { name, path, operation } of operations()) {
      const parameters: Answer["body"][] = (operation.parameters ?? []).map(resolve);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(
        inPath.map((parameter) => `{${parameter.name}}`),
        name,
      ).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const parameter of inPath) expect(parameter.required, name).toBe(true);
      const takesKey = parameters.some((parameter) => parameter.name === "Idempotency-Key");
      expect(takesKey, name).toBe(path.startsWith("/api/") && !name.startsWith("GET"));
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size, name).toBe(keys.length);
    }
  });

  it("Every parameter and every list of choices in the OpenAPI document has a description", () => {
    for (const { name, operation } of operations())
      for (const parameter of (operation.parameters ?? []).map(resolve))
        expect(parameter.description, `${name}: ${parameter.name}`).toMatch(/\w/);
    const isClear = ["MediaStatus"];
    for (const [name, schema] of entriesOf(document.components.schemas))
      if (schema.enum !== undefined && !isClear.includes(name)) expect(schema.description, name).toMatch(/\w/);
  });

  it("Every response in the OpenAPI document has a schema, and every error lists its possible codes", () => {
    for (const { name, operation } of operations()) {
      for (const [status, response] of entriesOf(operation.responses)) {
        if ((isFile(name) || isWritten(name)) && Number(status) < 400) continue;
        const { description } = response;
        const { schema } = resolve(response).content["application/json"];
        expect(description, name).toMatch(/\S/);
        if (Number(status) < 300) expect(resolve(schema).properties.success, name).toMatchObject({ const: true });
        else {
          expect(schema, name).toEqual({ $ref: "#/components/schemas/ErrorAnswer" });
          for (const [, code] of description.matchAll(/`(\w+)`/g)) expect(errorCodes).toContain(code);
        }
      }
    }
    const { ErrorAnswer, Refusal } = document.components.schemas;
    expect(ErrorAnswer.properties.error).toEqual({ $ref: "#/components/schemas/Refusal" });
    expect(Object.keys(Refusal.discriminator.mapping)).toEqual([...errorCodes]);
  });

  it("The schemas of the OpenAPI document list no undeclared field as required", () => {
    for (const { at, node } of nodesOf({ ...document.components.schemas, ...document.paths })) {
      if (!Array.isArray(node["required"]) || typeof node["properties"] !== "object") continue;
      for (const field of node["required"]) expect(Object.keys(node["properties"] ?? {}), at).toContain(field);
    }
  });

  it("Every body and response in the OpenAPI document has a named type", () => {
    const names: string[] = operations().flatMap(({ name, operation }) => {
      const bodies = [operation.requestBody, ...Object.values<Answer["body"]>(operation.responses)];
      const schemas = bodies.flatMap((body) => resolve(body)?.content?.["application/json"]?.schema ?? []);
      for (const schema of schemas)
        expect(schema, name).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\//) });
      return schemas.map(({ $ref }) => $ref.split("/").at(-1));
    });
    expect(names).toEqual(expect.arrayContaining(["MessagesSendRequest", "MessagesSendAnswer", "TagsCreateRequest"]));
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  it("In the OpenAPI document, the type of a request is named after its operation", () => {
    for (const { operation } of operations().filter(({ operation: { requestBody } }) => requestBody)) {
      const operationId: string = operation.operationId;
      const words = operationId.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
      const $ref = `#/components/schemas/${words.join("")}Request`;
      expect(operation.requestBody.content["application/json"].schema, operationId).toEqual({ $ref });
    }
  });

  it("The OpenAPI document describes the webhook request for each event type, for tests and for batches", () => {
    const types = eventTypes.filter((type) => !reservedTypes.includes(type));
    expect(Object.keys(document.webhooks)).toEqual([...types, "webhook.test", "batch"]);
    for (const [type, { post }] of entriesOf(document.webhooks)) {
      const body = resolve(post.requestBody.content["application/json"].schema);
      expect(body.description, type).toMatch(/\.$/);
      if (type !== "batch") expect(body.properties.type.const).toBe(type);
      expect(post.parameters.map(resolve).map(({ name }: { name: string }) => name)).toEqual([
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
      ]);
    }
    expect(Object.keys(document.components.schemas.Event.discriminator.mapping)).toEqual(types);
  });

  it("The OpenAPI document marks paginated lists, so that generated clients can request all pages", () => {
    for (const { name, operation } of operations()) {
      const { properties = {} } = resolve(operation.responses["200"]?.content?.["application/json"]?.schema) ?? {};
      const parameter = properties.next_cursor ? "cursor" : properties.next_after && "after";
      expect(operation["x-pagination"]?.parameter, name).toBe(parameter);
      if (parameter === undefined) continue;
      expect(properties[operation["x-pagination"].items].type, name).toBe("array");
      expect(operation.parameters.map(resolve), name).toContainEqual(expect.objectContaining({ name: parameter }));
    }
  });

  it("In the OpenAPI document, lists declare a limit with its default, and a cursor", () => {
    const parameters = document.paths["/api/v1/conversations/{id}/messages"].get.parameters.map(resolve);
    const limit = parameters.find(({ name }: { name: string }) => name === "limit");
    expect(limit).toMatchObject({ in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 100 } });
    expect(limit.required ?? false).toBe(false);
  });
});
