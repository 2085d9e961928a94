import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { listen } from "../provider-server.ts";

interface Result {
  status?: number;
  result?: unknown;
  error?: { code: number; message: string };
}

const NO_WORKER = { status: 404, error: { code: 10_007, message: "This Worker does not exist on your account." } };

/** A database as statements: tables with their rows, then indexes, triggers and views, as D1 exports it. */
function dumpOf(database: DatabaseSync): string {
  const schema = z
    .array(z.object({ type: z.string(), name: z.string(), sql: z.string() }))
    .parse(database.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").all());
  if (schema.some(({ sql }) => sql.includes("VIRTUAL"))) throw new Error("D1 exports no virtual tables.");
  const rows = (table: string) => {
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const values = columns.map(({ name }) => `quote("${String(name)}")`).join(" || ',' || ");
    return database
      .prepare(`SELECT 'INSERT INTO "${table}" VALUES(' || ${values} || ')' AS line FROM "${table}"`)
      .all();
  };
  const tables = schema.filter(({ type, name }) => type === "table" && !name.startsWith("sqlite_"));
  const others = ["index", "trigger", "view"].flatMap((type) => schema.filter((each) => each.type === type));
  const lines = [
    ...tables.flatMap(({ name, sql }) => [sql, ...rows(name).map(({ line }) => String(line))]),
    ...others.map(({ sql }) => sql),
  ];
  return lines.map((line) => `${line};`).join("\n");
}

/** A server for the calls of Cloudflare's API that a deployment makes, with real SQLite databases. */
export class CloudflareApi {
  readonly calls: string[] = [];
  readonly databases = new Map<string, DatabaseSync>();
  readonly locations: unknown[] = [];
  readonly queues = new Set<string>();
  readonly buckets = new Set<string>();
  readonly namespaces: string[] = [];
  readonly secrets = new Map<string, string>();
  /** The metadata of each Worker's last upload, by name. */
  readonly workers = new Map<string, { bindings: Record<string, unknown>[] }>();
  /** The bindings of each version of any Worker, oldest first. A version's id is its index. */
  readonly versions: { worker: string; bindings: Record<string, unknown>[] }[] = [];
  /** Called with the database's name before its rows are read. */
  duringExport: (database: string) => void = () => {};
  /** Calls whose path contains this text fail once. */
  failing = "";
  /** Runs before each call is handled. */
  onCall = (_call: string): void => {};
  #origin = "";
  #files = new Map<string, string>();
  #server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray());
      const path = (request.url ?? "").replace("/client/v4", "").replace("/accounts/account/", "");
      this.calls.push(`${request.method} ${path}`);
      this.onCall(`${request.method} ${path}`);
      if (path.startsWith("/upload/") && request.method === "GET") {
        response.end(this.#files.get(path.slice("/upload/".length)));
        return;
      }
      if (path.startsWith("/upload/")) {
        this.#files.set(path.slice("/upload/".length), body.toString());
        response.setHeader("ETag", `"${createHash("md5").update(body).digest("hex")}"`).end();
        return;
      }
      const {
        status = 200,
        result = [],
        error,
      } = await this.#handle(request.method ?? "", path, body, request.headers);
      response.writeHead(status, { "Content-Type": "application/json" });
      const errors = error === undefined ? [] : [error];
      response.end(
        JSON.stringify({ success: status < 300, errors, messages: [], result, result_info: { total_pages: 1 } }),
      );
    })();
  });

  async start(): Promise<string> {
    this.#origin = await listen(this.#server);
    return `${this.#origin}/client/v4`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  query(database: string, sql: string): unknown[] {
    return this.#database(database).prepare(sql).all();
  }

  execute(database: string, sql: string): void {
    this.#database(database).exec(sql);
  }

  #database(name: string): DatabaseSync {
    const database = this.databases.get(name);
    if (database === undefined) throw new Error(`No database ${name}.`);
    return database;
  }

  async #handle(method: string, path: string, body: Buffer, headers: NodeJS.Dict<string | string[]>): Promise<Result> {
    if (this.failing !== "" && path.includes(this.failing)) {
      this.failing = "";
      return { status: 400, error: { code: 10_021, message: "The import was interrupted." } };
    }
    const json = (): Record<string, string> => JSON.parse(body.toString());
    const [resource = "", id = "", action = ""] = path.split("?")[0]?.split(/\/(?=[^/])/) ?? [];
    if (resource === "d1") return this.#handleDatabases(method, path.split("?")[0] ?? "", json);
    if (resource === "r2") return this.#handleBuckets(method, action, json);
    if (resource === "storage") {
      if (method !== "POST") return { result: [] };
      this.namespaces.push(json()["title"] ?? "");
      return { result: { id: "namespace" } };
    }
    if (resource === "queues") {
      if (method === "POST" && id === "") this.queues.add(json()["queue_name"] ?? "");
      const named = /[?&]name=([^&]+)/.exec(path)?.[1];
      const names = [...this.queues].filter((name) => named === undefined || name === named);
      const queues = names.map((name) => ({ queue_id: name, queue_name: name, consumers: [], producers: [] }));
      return { result: method === "POST" ? queues.at(-1) : queues };
    }
    return this.#handleWorkers(method, path.split("?")[0] ?? "", body, headers);
  }

  #handleDatabases(method: string, path: string, json: () => Record<string, string>): Result {
    const [, , name = "", action = ""] = path.split("/");
    if (name === "" && method === "POST") {
      const { name: created = "", primary_location_hint: location } = json();
      this.databases.set(created, new DatabaseSync(":memory:"));
      this.locations.push(location);
      return { result: { uuid: created, name: created } };
    }
    if (name === "") return { result: [...this.databases.keys()].map((each) => ({ uuid: each, name: each })) };
    if (!this.databases.has(name))
      return { status: 404, error: { code: 7404, message: "The database was not found." } };
    const database = this.#database(name);
    if (action === "query") {
      const statements = (json()["sql"] ?? "").split(/;\s*(?=\S)/);
      return {
        result: statements.map((sql) => ({
          results: database.prepare(sql).all(),
          success: true,
          meta: { duration: 1 },
        })),
      };
    }
    if (action === "export") {
      this.duringExport(name);
      this.#files.set(name, dumpOf(database));
      return {
        result: {
          success: true,
          status: "complete",
          messages: [],
          result: { signed_url: `${this.#origin}/upload/${name}` },
        },
      };
    }
    if (action !== "import") return { result: { uuid: name, name } };
    const { action: step, filename = "", etag } = json();
    if (step === "init") return { result: { upload_url: `${this.#origin}/upload/${etag}`, filename: etag } };
    database.exec(`BEGIN;${this.#files.get(filename) ?? ""};COMMIT`);
    return {
      result: {
        success: true,
        status: "complete",
        messages: [],
        result: {
          final_bookmark: "b",
          num_queries: 1,
          meta: { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 },
        },
      },
    };
  }

  #handleBuckets(method: string, name: string, json: () => Record<string, string>): Result {
    if (method === "POST") this.buckets.add(json()["name"] ?? "");
    else if (name !== "" && !this.buckets.has(name))
      return { status: 404, error: { code: 10_006, message: "No bucket." } };
    return { result: { buckets: [...this.buckets].map((each) => ({ name: each })) } };
  }

  async #handleWorkers(
    method: string,
    path: string,
    body: Buffer,
    headers: NodeJS.Dict<string | string[]>,
  ): Promise<Result> {
    if (path === "workers/subdomain") return { result: { subdomain: "example" } };
    const [, kind, name = "", action = ""] = path.split("/");
    const worker = this.workers.get(name);
    if (kind === "scripts" && action === "" && method === "PUT") {
      const form = await new Response(new Uint8Array(body), {
        headers: { "Content-Type": String(headers["content-type"]) },
      }).formData();
      const metadata = JSON.parse(z.string().parse(form.get("metadata")));
      for (const { type, name: secret, text } of metadata.bindings) {
        if (type === "secret_text") this.secrets.set(`${name} ${secret}`, text);
      }
      const known = (each: Record<string, unknown>) =>
        worker?.bindings.find((earlier) => each["type"] === "inherit" && earlier["name"] === each["name"]) ?? each;
      const bindings = metadata.bindings.map(known);
      this.workers.set(name, { bindings });
      this.versions.push({ worker: name, bindings });
      return { result: { id: name, etag: "etag", startup_time_ms: 10, deployment_id: "deployment" } };
    }
    if (action === "assets-upload-session") return { result: { jwt: "jwt", buckets: [] } };
    if (worker === undefined) return NO_WORKER;
    if (action === "secrets" && method === "PUT") {
      const { name: secret, text } = z.object({ name: z.string(), text: z.string() }).parse(JSON.parse(String(body)));
      this.secrets.set(`${name} ${secret}`, text);
      return {};
    }
    if (action === "secrets") {
      const names = [...this.secrets.keys()].filter((each) => each.startsWith(`${name} `));
      return { result: names.map((each) => ({ name: each.split(" ")[1], type: "secret_text" })) };
    }
    if (action === "deployments") {
      const deployments = this.versions.map(({ worker: owner }, index) => ({
        owner,
        source: "wrangler",
        created_on: new Date(index).toISOString(),
        versions: [{ version_id: String(index), percentage: 100 }],
      }));
      return { result: { deployments: deployments.filter(({ owner }) => owner === name).toReversed() } };
    }
    if (action === "versions") return { result: { resources: this.versions[Number(path.split("/").at(-1))] } };
    if (action === "settings") return { result: { bindings: worker.bindings } };
    if (action === "subdomain") return { result: { enabled: true, previews_enabled: false } };
    if (kind === "services") return { result: { default_environment: { environment: "production", script: {} } } };
    if (kind === "workers") return { result: { subdomain: { enabled: true, previews_enabled: false } } };
    return {};
  }
}
