import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { png, readFile, storedKeys, uploadFile } from "../../support/media.ts";
import { override } from "../../support/override.ts";
import { faultyWorld, onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();
let customer: Customer;

beforeEach(async () => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
  customer = await world.customer();
});

const listed = async (of: Customer = customer) => (await of.call("GET", "/media")).body.media;

describe("Repeated uploads", () => {
  const headers = { "Idempotency-Key": "one" };

  it("A repeated upload with the same bytes returns the first response and stores nothing", async () => {
    const first = await uploadFile(customer, png(), "image/png", { headers });
    const second = await uploadFile(customer, png(), "image/png", { headers });
    expect(second).toMatchObject({ status: 201, body: { media: first.body.media } });
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(first.headers.get("Idempotent-Replayed")).toBeNull();
    expect(await listed()).toEqual([first.body.media]);
    expect(await storedKeys(customer)).toHaveLength(1);
  });

  it("A repeated upload with different bytes is rejected, and the first file stays unchanged", async () => {
    const first = await uploadFile(customer, png(), "image/png", { headers });
    const second = await uploadFile(customer, png(1001), "image/png", { headers });
    expect(second).toMatchObject({ status: 422, body: { error: { code: "idempotency_key_reused" } } });
    expect(await listed()).toEqual([first.body.media]);
    expect(await storedKeys(customer)).toHaveLength(1);
  });

  it("Concurrent repeats of an upload store one file", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => uploadFile(customer, png(), "image/png", { headers })),
    );
    expect(new Set(answers.map(({ body }) => body.media.id)).size).toBe(1);
    expect(await storedKeys(customer)).toHaveLength(1);
  });
});

describe("Uploads during failures", () => {
  it("An upload leaves neither a row nor bytes behind if the bucket fails", async () => {
    const put = async () => {
      throw new Error("put: We encountered an internal error. Please try again. (10001)");
    };
    const failing = new World({ MEDIA: override(world.env.MEDIA, { put }) });
    const its = await failing.customer();
    const answer = await uploadFile(its, png(1_000_000), "image/png");
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    const rows = await onShard(its, "SELECT id FROM media WHERE workspace_id = ?", its.workspaceId);
    expect([rows, await storedKeys(its)]).toEqual([[], []]);
  });

  it("An upload leaves no bytes behind if the database fails", async () => {
    const { world: failing, faults } = faultyWorld();
    const its = await failing.customer();
    for (const sql of [/insert into "media"/, /UPDATE media SET bytes/]) {
      faults.next(sql);
      const answer = await uploadFile(its, png(), "image/png");
      expect(answer).toMatchObject({ status: 503 });
    }
    expect(faults.spent).toBe(true);
    expect([await listed(its), await storedKeys(its)]).toEqual([[], []]);
  });

  it("If the database's response to an upload's commit is lost, the uploaded file stays stored", async () => {
    const { world: failing, faults } = faultyWorld();
    const its = await failing.customer();
    faults.next(/UPDATE media SET bytes/, "after");
    expect(await uploadFile(its, png(), "image/png")).toMatchObject({ status: 503 });
    const [kept] = await listed(its);
    expect((await readFile(its, kept.id)).bytes).toEqual(png());
  });

  it("The cron deletes an upload a day after its process died", async () => {
    const key = `media/${customer.workspaceId}/med_left`;
    await world.env.DB.prepare(
      "INSERT INTO media (id, workspace_id, status, created_at, expires_at) VALUES ('med_left', ?, 'pending', ?, ?)",
    )
      .bind(customer.workspaceId, Date.now(), Date.now() + 86_400_000)
      .run();
    await world.env.MEDIA.put(key, png());
    expect(await listed()).toEqual([]);
    await world.cron();
    expect(await storedKeys(customer)).toEqual([key]);
    world.advance(86_400_001);
    await world.cron();
    expect(await storedKeys(customer)).toEqual([]);
    const row = await world.env.DB.prepare("SELECT id FROM media WHERE id = 'med_left'").first();
    expect(row).toBeNull();
  });
});
