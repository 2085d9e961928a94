import { describe, expect, it } from "vitest";
import { transportOf } from "../../src/http/request/secure-transport.ts";

const of = (url: string, { method = "GET", address = "8.8.8.8", authorized = false } = {}) =>
  transportOf({ method, url: new URL(url), address, authorized });

describe("Requests over http", () => {
  it.each([
    ["GET", "/"],
    ["GET", "/console/sign-in?next=%2Fconsole"],
    ["HEAD", "/docs"],
    ["GET", "/health"],
    ["GET", "/apiary"],
  ])("A page over http redirects to https: %s %s", (method, path) => {
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
  ])("A request over http that can contain a secret is rejected: %s %s", (method, path) => {
    expect(of(`http://tidings.example.com${path}`, { method })).toBe("refuse");
  });

  it("A request over http with a key is rejected on every path", () => {
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
  ])("The service accepts an http request to this machine or a private network: %s", (url) => {
    expect(of(url)).toBe("serve");
  });

  it.each(["127.0.0.1", "::1", "192.168.1.7", "10.1.2.3", "fe80::1"])(
    "The service accepts an http request from a private network, whatever the host: %s",
    (address) => {
      expect(of("http://tidings.example.com/console", { address })).toBe("serve");
    },
  );

  it.each(["8.8.8.8", "2606:4700::1111"])(
    "The service does not accept an http request from outside of private networks: %s",
    (address) => {
      expect(of("http://tidings.example.com/console", { address })).toBe("redirect");
    },
  );
});

it("The service accepts a request over https", () => {
  expect(of("https://tidings.example.com/api/v1/messages", { method: "POST", authorized: true })).toBe("serve");
});
