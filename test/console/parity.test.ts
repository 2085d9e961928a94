import { describe, expect, it } from "vitest";
import { loadConsole, surfaces } from "../../src/entrypoints/http.ts";
import { EXCEPTIONS, PARITY } from "../support/parity.ts";

const paths = async () => {
  const { routes } = await loadConsole();
  const posts = routes.filter(({ method, path }) => method === "POST" && !path.includes("*"));
  return [...new Set(posts.map(({ path }) => path.replace(/^\/console(?:\/:ws\{[^}]*\})?/, "")))];
};

describe("What a person does in the console to a workspace's data", () => {
  it("can be done over the API: each form is of an operation, or of an exception with a name", async () => {
    const forms = await paths();
    expect(forms.length).toBeGreaterThan(70);
    expect(forms.filter((path) => !Object.hasOwn(PARITY, path))).toEqual([]);
  });

  it("is done by operations that there are", () => {
    const operations = new Set<string>(surfaces.flatMap(({ endpoints }) => endpoints.map(({ name }) => name)));
    const named = Object.values(PARITY).flatMap((each) => (typeof each === "string" ? [] : each));
    expect(named.filter((name) => !operations.has(name))).toEqual([]);
  });

  it("changes nothing that an exception leaves out of the API", () => {
    const excepted = Object.values(PARITY).filter((each) => typeof each === "string");
    expect([...new Set(excepted)].toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
  });
});
