import { expect, test } from "vitest";
import {
  changesOf,
  copyOf,
  findPatchFault,
  nameOfCopy,
  patchRequest,
  requestOf,
} from "../../src/features/campaigns/edit/stored-request.ts";

const stored = {
  request: {
    template_id: "tpl_1",
    channel: "official" as const,
    name: "May news",
    scheduled_at: "1970-01-01T00:00:02.000Z",
    send_before: "1970-01-01T00:00:05.000Z",
  },
  revision: 1,
  connection_id: "con_1",
  status: "draft" as const,
  recipient_count: 3,
  audience: { filter: null, segmentId: null, resolved: null },
  segment_name: null,
  tags: [],
};

const { send_before: _, ...withoutEnd } = stored.request;
const { scheduled_at: __, ...withoutTimes } = withoutEnd;

test("A patch to a campaign replaces fields and removes fields that are null; if no tags remain, it also removes the match mode", () => {
  const request = { ...requestOf(stored), filter_tags: ["VIP"], filter_tags_mode: "any" as const };
  expect(patchRequest(request, { name: "June news" })).toEqual({ ...request, name: "June news" });
  expect(patchRequest(request, { filter_tags: null, send_before: null })).toEqual({
    template_id: "tpl_1",
    channel: "official",
    name: "May news",
    scheduled_at: "1970-01-01T00:00:02.000Z",
  });
});

test("A patch cannot remove the time of a scheduled campaign, or set a match mode without tags", () => {
  expect(findPatchFault("draft", { scheduled_at: null }, undefined)).toBeNull();
  expect(findPatchFault("scheduled", { scheduled_at: null }, undefined)).toMatchObject({ path: "scheduled_at" });
  expect(findPatchFault("draft", { filter_tags_mode: "any" }, ["VIP"])).toBeNull();
  expect(findPatchFault("draft", { filter_tags_mode: "any" }, undefined)).toMatchObject({ path: "filter_tags_mode" });
});

test("A copy of a campaign keeps only times in the future", () => {
  expect(copyOf(stored, "May news (copy)", 1000)).toEqual({
    ...stored,
    request: { ...stored.request, name: "May news (copy)" },
  });
  expect(copyOf(stored, "Copy", 2000)).toEqual({
    ...stored,
    request: { ...withoutTimes, name: "Copy", send_before: stored.request.send_before },
  });
  expect(copyOf(stored, "Copy", 9000).request).toEqual({ ...withoutTimes, name: "Copy" });
});

test("A copy of a campaign has the next free name", () => {
  expect(nameOfCopy("May news", new Set())).toBe("May news (copy)");
  expect(nameOfCopy("May news (copy)", new Set(["May news (copy)"]))).toBe("May news (copy 2)");
});

test("The logged changes of a campaign are the fields that differ, and for a new campaign all fields", () => {
  const before = { request: requestOf(stored), connectionId: "con_1" };
  expect(changesOf(before, before)).toEqual({});
  expect(changesOf(before, { ...before, connectionId: "con_2" })).toEqual({ connection_id: ["con_1", "con_2"] });
  expect(changesOf(null, { ...before, request: requestOf({ ...stored, request: withoutEnd }) })).toEqual({
    template_id: [null, "tpl_1"],
    channel: [null, "official"],
    name: [null, "May news"],
    scheduled_at: [null, "1970-01-01T00:00:02.000Z"],
    connection_id: [null, "con_1"],
  });
});
