import { describe, expect, it } from "vitest";
import { transportOf } from "../../src/http/request/secure-transport.ts";

const of = (url: string, { method = "GET", address = "8.8.8.8", authorized = false } = {}) =>
  transportOf({ method, url: new URL(url), address, authorized });

describe("a request that came over http", () => {
  it.each([
    ["GET", "/"],
    ["GET", "/console/sign-in?next=%2Fconsole"],
    ["HEAD", "/docs"],
    ["GET", "/health"],
    ["GET", "/apiary"],
  ])("moves to https when it is for a page: %s %s", (method, path) => {
    expect(of(`http://tidings.example.com${path}`, { method })).toBe("redirect");
  });

  it.each([
    ["GET", "/api/v1/contacts"],
    ["POST", "/api/v1/messages"],
    ["GET", "/manage/v1/workspaces"],
    ["POST", "/hooks/conn_1"],
    ["GET", "/hooks/conn_1"],
    ["POST", "/console/sign-in"],
    ["OPTIONS", "/api/v1/messages"],
    ["DELETE", "/"],
  ])("is refused when it may have carried a secret: %s %s", (method, path) => {
    expect(of(`http://tidings.example.com${path}`, { method })).toBe("refuse");
  });

  it("is refused when it carries a key, wherever it goes", () => {
    expect(of("http://tidings.example.com/docs", { authorized: true })).toBe("refuse");
  });

  it.each([
    "http://localhost:8787/api/v1/messages",
    "http://127.0.0.1:8787/console",
    "http://[::1]/console",
    "http://192.168.1.20:8787/console",
    "http://tidings.test/console",
    "http://my-laptop.local:8787/console",
    "http://tidings/console",
  ])("is served on this machine and in private networks: %s", (url) => {
    expect(of(url)).toBe("serve");
  });

  it.each(["127.0.0.1", "::1", "192.168.1.7", "10.1.2.3", "fe80::1"])(
    "is served to a caller on this machine or network, whatever host it names: %s",
    (address) => {
      expect(of("http://tidings.example.com/console", { address })).toBe("serve");
    },
  );

  it.each(["8.8.8.8", "2606:4700::1111"])("is not served to others: %s", (address) => {
    expect(of("http://tidings.example.com/console", { address })).toBe("redirect");
  });
});

it("A request over https is served", () => {
  expect(of("https://tidings.example.com/api/v1/messages", { method: "POST", authorized: true })).toBe("serve");
});
