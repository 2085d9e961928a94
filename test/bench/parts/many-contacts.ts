// A workspace with many contacts, stored as the product stores them.
import { env } from "cloudflare:workers";
import { emailKey, foldContact } from "../../../src/features/contacts/contacts.patch.ts";
import { createIds } from "../../../src/shared/ids.ts";
import { phoneKey } from "../../../src/shared/text/phone.ts";
import type { Customer, World } from "../../support/world.ts";

/**
 * The fields of contacts repeat after this many contacts, so that the newest contacts are alike in workspaces of any
 * size.
 */
const PERIOD = 500;
/** Numbers of the contacts that have the rare tag and the rare company. They are not among the newest contacts. */
const RARE = [11, 222, 333];
const ROWS_A_STATEMENT = 1000;
const STATEMENTS_A_BATCH = 5;

const FIRST_NAMES =
  "Ana,Bruno,Carla,Davi,Élodie,Fatma,Giulia,Hans,Ines,João,Karin,Luis,Maria,Nguyễn,Olga,Pedro,Quentin,Rosa,Søren,Teresa,Uğur,Vera,Walter,Ximena,Zoë".split(
    ",",
  );
const LAST_NAMES =
  "Silva,Santos,Müller,Schmidt,García,Martin,Rossi,Novák,Kowalski,Yılmaz,Okafor,Anderson,Johnson,Tanaka,Costa,Pereira,Weiß,Fischer,Lopez,Dubois,Ferrari,Svensson,Hansen,Kaya,Brown".split(
    ",",
  );
const COMPANIES = [
  "Acme",
  "Initech",
  "Umbrella",
  "Stark Logistik",
  "Padaria São João",
  "Müller & Söhne",
  "Wayne Foods",
];
const TAGS = ["VIP", "Retail", "Newsletter", "Berlin", "Wholesale", "Partner", "Spring sale", "Founder"];
const FIELDS = [
  { field_key: "plan", label: "Plan", type: "select", options: ["free", "pro", "team"] },
  { field_key: "city", label: "City", type: "text" },
  { field_key: "since", label: "Customer since", type: "date" },
  { field_key: "score", label: "Score", type: "number" },
];

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("An empty list.");
  return item;
};

const ascii = (name: string) =>
  name
    .normalize("NFD")
    .replace(/[^a-z]/gi, "")
    .toLowerCase();

/**
 * The request body for person `n`. Every sixth person works at `employer`. No contact has both VIP and Retail, or VIP
 * and the source "import".
 */
export function person(n: number, employer: string) {
  const k = n % PERIOD;
  const isRare = RARE.includes(n);
  const [first, last] = [at(FIRST_NAMES, k), at(LAST_NAMES, Math.floor(k / 20) + k * 3)];
  const digits = String(n).padStart(7, "0");
  const ofTag = [k % 2 === 0, k % 2 === 1, k % 3 === 0, k % 7 === 0, k % 5 === 0, k % 4 === 0, k % 3 === 1, isRare];
  const company = k % 6 === 0 ? employer : k % 3 === 1 ? null : at(COMPANIES, k);
  const since = at(["2023-05-01", "2024-11-30", "2025-08-15"], k);
  return {
    name: `${first} ${last}`,
    phone: at([`+49151${digits}0`, `+55119${digits}5`, `+1415${digits}`], k),
    email: `${ascii(first)}.${ascii(last)}${n}@example.${at(["com", "org", "net", "dev"], k)}`,
    company: isRare ? "Quetzal Outfitters" : company,
    status: at(["hot", "warm", "active", "cold", "new"], k),
    source: at(["api", "import", "shop", "fair"], k),
    tags: TAGS.filter((_, index) => ofTag[index]),
    custom_fields: { plan: at(["free", "pro", "team"], k), city: at(["Berlin", "Lisboa", "Łódź"], k), since, score: k },
  };
}

/** Person `n` as a row of `contacts`, without `seq` and `id`. */
function rowOf(n: number, employer: string) {
  const { phone, email, tags, custom_fields: fields, ...plain } = person(n, employer);
  const values = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [FIELDS.findIndex(({ field_key }) => field_key === key) + 1, value]),
  );
  return {
    ...plain,
    phone,
    phone_key: phoneKey(phone),
    email,
    email_key: emailKey(email),
    tags: tags.map((name) => TAGS.indexOf(name) + 1),
    custom_fields: values,
    folded: foldContact({ ...plain, email, values }),
    is_archived: (n % PERIOD) % 20 === 7,
    opted_out: (n % PERIOD) % 50 === 3,
  };
}

const NAMES = ["name", "company", "status", "source", "phone", "phone_key", "email", "email_key"];

/** SQL that inserts the rows of a JSON list into a table like `contacts`. Parameters: workspace, time, rows. */
export const insertInto = (table: string): string => `
  INSERT INTO ${table} (seq, id, workspace_id, ${NAMES.join(", ")}, lifecycle_stage, tags, custom_fields, folded, archived_at, created_at, updated_at)
  SELECT e.value ->> 'seq', e.value ->> 'id', ?1, ${NAMES.map((name) => `e.value ->> '${name}'`).join(", ")}, 'lead',
    e.value ->> 'tags', json_patch('{}', e.value -> 'custom_fields'), json_patch('{}', e.value -> 'folded'),
    iif(e.value ->> 'is_archived', ?2, NULL), ?2, ?2
  FROM json_each(?3) e`;

const SUPPRESS = `
  INSERT INTO suppressions (workspace_id, key, opted_out_at) SELECT ?1, k.value, ?2
  FROM json_each(?3) e CROSS JOIN json_each(json_array(e.value ->> 'id', e.value ->> 'phone_key')) k WHERE e.value ->> 'opted_out'`;

const START = Date.parse("2024-01-01T00:00:00.000Z");

/** A workspace in the first database, with tags and fields. */
export class Crowd {
  private constructor(
    readonly customer: Customer,
    /** The number of the workspace's first contact. */
    readonly base: number,
    private readonly employer: string,
  ) {}

  static async open(world: World, employer: string): Promise<Crowd> {
    const find = "SELECT number, shard FROM workspaces WHERE id = ?";
    for (;;) {
      const customer = await world.customer({ key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
      const workspace = await env.DB.prepare(find)
        .bind(customer.workspaceId)
        .first<{ number: number; shard: number }>();
      if (workspace?.shard !== 0) continue;
      for (const name of TAGS) await customer.call("POST", "/tags", { name });
      for (const field of FIELDS) await customer.call("POST", "/custom-fields", field);
      return new Crowd(customer, workspace.number * 2 ** 32, employer);
    }
  }

  rows(first: number, last: number): object[] {
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const n = first + index;
      const id = createIds(() => START + n * 60_000)("ct");
      return { seq: this.base + n, id, ...rowOf(n, this.employer) };
    });
  }

  /** Inserts the people with the numbers `first` to `last`, with plain SQL. */
  async fill(first: number, last: number): Promise<void> {
    const rowsABatch = ROWS_A_STATEMENT * STATEMENTS_A_BATCH;
    for (let start = first; start <= last; start += rowsABatch) {
      const statements: D1PreparedStatement[] = [];
      for (let n = start; n < start + rowsABatch && n <= last; n += ROWS_A_STATEMENT) {
        const rows = JSON.stringify(this.rows(n, Math.min(n + ROWS_A_STATEMENT - 1, last)));
        const values = [this.customer.workspaceId, START, rows];
        statements.push(...[insertInto("contacts"), SUPPRESS].map((sql) => env.DB.prepare(sql).bind(...values)));
      }
      await env.DB.batch(statements);
    }
  }
}
