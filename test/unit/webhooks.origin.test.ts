import { expect, test } from "vitest";
import { isSameService } from "../../src/features/webhooks/webhooks.origin.ts";

test("An origin is known in each of its spellings, and no other is taken for it", () => {
  const hosts = ["localhost", "localhost.", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1", "2130706433", "0.0.0.0"];
  for (const host of [...hosts, "[::1]", "[0:0::1]", "[::]", "[::ffff:127.0.0.1]"]) {
    expect([host, isSameService(`http://${host}:8801/`, "http://localhost:8801")]).toEqual([host, true]);
    expect(isSameService(`http://${host}:8802/`, "http://localhost:8801")).toBe(false);
    expect(isSameService(`http://${host}:8801/`, "http://tidings.example.com:8801")).toBe(false);
  }
  for (const url of ["https://api.example.com.", "https://API.example.com:443/hook", "https://u:p@api.example.com"])
    expect(isSameService(url, "https://api.example.com")).toBe(true);
  for (const url of ["https://example.com", "https://api.example.com.evil.org", "https://127.0.0.1.example.com"])
    expect(isSameService(url, "https://api.example.com")).toBe(false);
});
