import { expect, test } from "vitest";
import { changeCannedReply } from "../../src/features/canned-replies/canned-replies.changes.ts";

const reply = { id: "crp_1", shortcut: "hours", body: "9 to 18", created_at: 5, updated_at: 5, revision: 3 };

test("A change to a canned reply keeps fields that the request does not contain, and creates a revision", () => {
  expect(changeCannedReply(reply, undefined, { body: "8 to 18" }, 9)).toEqual({
    ...reply,
    body: "8 to 18",
    updated_at: 9,
    revision: 4,
  });
});

test("A canned reply with unchanged values keeps its revision and the time of its last change", () => {
  expect(changeCannedReply(reply, undefined, { body: reply.body, shortcut: undefined }, 9)).toBe(reply);
});

test("A canned reply cannot have the shortcut of another canned reply, but the case of its own shortcut can change", () => {
  expect(changeCannedReply(reply, { id: "crp_2" }, { shortcut: "Open" }, 9)).toMatchObject({
    code: "conflict",
    details: { field: "shortcut", canned_reply_id: "crp_2" },
  });
  expect(changeCannedReply(reply, { id: "crp_1" }, { shortcut: "Hours" }, 9)).toMatchObject({ shortcut: "Hours" });
});
