import { describe, expect, it } from "vitest";
import { loadConsole } from "../../src/entrypoints/http.ts";
import { surfaces } from "../support/surfaces.ts";
import { customerWith } from "../support/campaigns.ts";
import { exceptedForms } from "../support/excepted-forms.ts";
import { EXCEPTIONS, PARITY } from "../support/parity.ts";
import { recordedWorld } from "../support/recording.ts";

const paths = async () => {
  const { routes } = await loadConsole();
  const posts = routes.filter(({ method, path }) => method === "POST" && !path.includes("*"));
  return [...new Set(posts.map(({ path }) => path.replace(/^\/console(?:\/:ws\{[^}]*\})?/, "")))];
};

describe("Console forms and API operations", () => {
  it("Every console form has an API operation or a documented exception", async () => {
    const forms = await paths();
    expect(forms.length).toBeGreaterThan(70);
    expect(forms.filter((path) => !Object.hasOwn(PARITY, path))).toEqual([]);
  });

  it("The API operation of every console form exists", () => {
    const operations = new Set<string>(surfaces.flatMap(({ endpoints }) => endpoints.map(({ name }) => name)));
    const named = Object.values(PARITY).flatMap((each) => (typeof each === "string" ? [] : each));
    expect(named.filter((name) => !operations.has(name))).toEqual([]);
  });

  it("A console form without an API operation does not write workspace data", async () => {
    const { world, recording } = recordedWorld();
    const { customer } = await customerWith(3, world);
    const admin = await customer.member("admin");
    const forms = await exceptedForms(customer, admin);
    const excepted = Object.entries(PARITY).filter(([, each]) => typeof each === "string");
    expect(forms.map(({ form }) => form).toSorted()).toEqual(excepted.map(([form]) => form).toSorted());
    const written: Record<string, unknown[]> = {};
    for (const { form, to, fields, by } of forms) {
      const exception = PARITY[form];
      if (typeof exception !== "string") throw new Error(`${form} is no exception.`);
      await by.get("/console/workspaces"); // The page contains a new token for the session.
      recording.take();
      expect((await by.post(to, fields)).status, form).toBeLessThan(400);
      const tables = recording
        .take()
        .filter(({ rowsWritten }) => rowsWritten > 0)
        .map(({ sql }) => /(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?(\w+)/i.exec(sql)?.[1]);
      const others = tables.filter((table) => table === undefined || !EXCEPTIONS[exception].includes(table));
      if (others.length > 0) written[form] = others;
    }
    expect(written).toEqual({});
  });
});
