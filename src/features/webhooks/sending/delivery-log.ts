import * as z from "zod";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { type DeliveriesFilter, type Delivery, listLogged } from "../webhooks.deliveries.ts";
import { type DeliveryAttempt, type LoggedDelivery, storedAttempt } from "../webhooks.schemas.ts";

const KEPT_MS = 7 * DAY_MS;
const MAX_KEPT = 10_000;
const MAX_LISTED_ATTEMPTS = 20;
const MAX_RECENT = 100;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY, events TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, attempts TEXT NOT NULL,
    first_failed_at INTEGER, last_attempt_at INTEGER, due_at INTEGER, is_replay INTEGER NOT NULL, settled_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS deliveries_settled ON deliveries (settled_at) WHERE settled_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_pending ON deliveries (due_at) WHERE due_at IS NOT NULL;`;

const deliveryRow = z.object({
  id: z.string(),
  events: fromJson(z.array(z.tuple([z.string(), z.number(), z.string(), z.string()]))),
  state: z.enum(["pending", "failed", "succeeded"]),
  tries: z.number(),
  attempts: fromJson(z.array(storedAttempt)),
  first_failed_at: z.number().nullable(),
  last_attempt_at: z.number().nullable(),
  due_at: z.number().nullable(),
  is_replay: z.number(),
});

type DeliveryRow = z.infer<typeof deliveryRow>;

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  events: row.events.map(([id, sequence, type, key]) => ({ id, sequence, type, key })),
  tries: row.tries,
  firstFailedAt: row.first_failed_at,
  lastAttemptAt: row.last_attempt_at,
  dueAt: row.due_at ?? 0,
  isReplay: row.is_replay === 1,
});

const toLogged = ({ id, events, state, attempts, due_at }: DeliveryRow): LoggedDelivery => ({
  id,
  eventIds: events.map(([eventId]) => eventId),
  state,
  attempts,
  nextAttemptAt: due_at,
});

export interface FailedRange {
  after: number;
  before: number;
}

/**
 * A delivery that succeeds at the first attempt gets no row, to save writes. Only the latest of these deliveries are
 * kept, in `recent`.
 */
export class DeliveryLog {
  private recent: LoggedDelivery[];
  private isRecentSaved = true;

  constructor(private readonly storage: DurableObjectStorage) {
    storage.sql.exec(SCHEMA);
    this.recent = storage.kv.get<LoggedDelivery[]>("recent") ?? [];
  }

  private read(query: string, ...values: (string | number | null)[]): DeliveryRow[] {
    return z.array(deliveryRow).parse(this.storage.sql.exec(query, ...values).toArray());
  }

  loadPending(): Delivery[] {
    return this.read("SELECT * FROM deliveries WHERE due_at IS NOT NULL").map(toDelivery);
  }

  find(id: string): Delivery | null {
    const [row] = this.read("SELECT * FROM deliveries WHERE id = ?", id);
    return row === undefined ? null : toDelivery(row);
  }

  findRecent(id: string): LoggedDelivery | undefined {
    return this.recent.find((each) => each.id === id);
  }

  putPending(delivery: Delivery, attempt: DeliveryAttempt | null): void {
    this.put(delivery, { state: "pending", attempt, settledAt: null });
  }

  putEnded(delivery: Delivery, state: "failed" | "succeeded", attempt: DeliveryAttempt, now: number): void {
    const { id, events, firstFailedAt } = delivery;
    if (firstFailedAt !== null) {
      this.put(delivery, { state, attempt, settledAt: now });
      return;
    }
    // Most deliveries have no row. We read first, because a delete costs a write even if there is no row.
    if (this.find(id) !== null) this.delete(id);
    const eventIds = events.map((event) => event.id);
    const listed: LoggedDelivery = { id, eventIds, state, attempts: [attempt], nextAttemptAt: null };
    this.recent = [listed, ...this.recent.filter((each) => each.id !== id)].slice(0, MAX_RECENT);
    this.isRecentSaved = false;
  }

  saveRecent(): void {
    if (!this.isRecentSaved) this.storage.kv.put("recent", this.recent);
    this.isRecentSaved = true;
  }

  makeDue(now: number): void {
    this.storage.sql.exec("UPDATE deliveries SET due_at = ? WHERE due_at > ?", now, now);
  }

  delete(id: string): void {
    this.storage.sql.exec("DELETE FROM deliveries WHERE id = ?", id);
  }

  private put(
    { id, events, tries, firstFailedAt, lastAttemptAt, dueAt, isReplay }: Delivery,
    { state, attempt, settledAt }: { state: string; attempt: DeliveryAttempt | null; settledAt: number | null },
  ): void {
    const [known] = this.read("SELECT * FROM deliveries WHERE id = ?", id);
    const attempts = [...(known?.attempts ?? []), ...(attempt === null ? [] : [attempt])].slice(-MAX_LISTED_ATTEMPTS);
    this.storage.sql.exec(
      "INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      JSON.stringify(events.map((event) => [event.id, event.sequence, event.type, event.key])),
      state,
      tries,
      JSON.stringify(attempts),
      firstFailedAt,
      lastAttemptAt,
      settledAt === null ? dueAt : null,
      isReplay ? 1 : 0,
      settledAt,
    );
  }

  list(filter: DeliveriesFilter): LoggedDelivery[] {
    const conditions: [sql: string, value: string | undefined][] = [
      ["state = ?", filter.state],
      ["EXISTS (SELECT 1 FROM json_each(events) WHERE value ->> 0 = ?)", filter.eventId],
      ["id < ?", filter.before],
    ];
    const requested = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
    const where = ["attempts <> '[]'", ...requested.map(({ sql }) => sql)].join(" AND ");
    const values = [...requested.map(({ value }) => value), filter.limit + 1];
    const rows = this.read(`SELECT * FROM deliveries WHERE ${where} ORDER BY id DESC LIMIT ?`, ...values);
    return listLogged(filter, rows.map(toLogged), this.recent);
  }

  findLogged(id: string): LoggedDelivery | null {
    const [row] = this.read("SELECT * FROM deliveries WHERE id = ? AND attempts <> '[]'", id);
    return row === undefined ? null : toLogged(row);
  }

  listFailed({ after, before }: FailedRange): Delivery[] {
    return this.read(
      `SELECT * FROM deliveries WHERE state = 'failed' AND EXISTS (
        SELECT 1 FROM json_each(events) WHERE value ->> 1 > ? AND value ->> 1 < ?)`,
      after,
      before,
    ).map(toDelivery);
  }

  deleteOld(now: number): void {
    this.storage.sql.exec("DELETE FROM deliveries WHERE settled_at < ?", now - KEPT_MS);
    this.storage.sql.exec(
      `DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries WHERE settled_at IS NOT NULL ORDER BY settled_at DESC LIMIT -1 OFFSET ?)`,
      MAX_KEPT,
    );
  }
}
