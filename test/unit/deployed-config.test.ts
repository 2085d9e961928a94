import { expect, it } from "vitest";
import { configFor } from "../../scripts/deploy/config.ts";
import { withPublicUrl } from "../../scripts/deploy/public-url.ts";

const production = {
  name: "tidings",
  workers_dev: false,
  routes: [{ pattern: "messages.example.com", custom_domain: true }],
  ratelimits: [{ name: "LIMITER", namespace_id: "1", simple: { limit: 1, period: 60 as const } }],
  r2_buckets: [{ binding: "MEDIA", bucket_name: "tidings-media" }],
};

it("An environment uses workers.dev or its own domain, but never production's address", () => {
  const routes = [{ pattern: "staging.example.com", custom_domain: true }];
  const config = { ...production, env: { staging: {}, test: { routes }, off: { workers_dev: false } } };
  const addressOf = (name: string | null) => {
    const { workers_dev, routes: domains } = configFor(config, name);
    return { workers_dev, routes: domains };
  };
  expect(addressOf("staging")).toEqual({ workers_dev: undefined, routes: undefined });
  expect(addressOf("test")).toEqual({ workers_dev: undefined, routes });
  expect(addressOf("off")).toEqual({ workers_dev: false, routes: undefined });
  expect(addressOf(null)).toEqual({ workers_dev: false, routes: production.routes });
});

it("An environment shares no resource with production", () => {
  const renamed = configFor({ ...production, env: { staging: {} } }, "staging");
  expect(renamed).toMatchObject({
    name: "tidings-staging",
    ratelimits: [{ name: "LIMITER", namespace_id: "21" }],
    r2_buckets: [{ bucket_name: "tidings-staging-media" }],
  });
  const config = { ...production, r2_buckets: [{ binding: "MEDIA", bucket_name: "files" }] };
  expect(() => configFor({ ...config, env: { staging: {} } }, "staging")).toThrow(
    'the bucket_name "files" does not begin with "tidings", so staging would share the resource with production',
  );
  const own = [{ binding: "MEDIA", bucket_name: "staging-files" }];
  expect(configFor({ ...config, env: { staging: { r2_buckets: own } } }, "staging").r2_buckets).toEqual(own);
  expect(configFor({ ...config, name: "files", env: { staging: {} } }, "staging").name).toBe("files-staging");
});

it("An environment does not inherit production's PUBLIC_URL", () => {
  const vars = { SENDING: "on", PUBLIC_URL: "https://messages.example.com" };
  const config = {
    ...production,
    vars,
    env: { staging: {}, test: { vars: { PUBLIC_URL: "https://test.example.com" } } },
  };
  expect(configFor(config, "staging").vars).toEqual({ SENDING: "on", PUBLIC_URL: "" });
  expect(configFor(config, "test").vars).toEqual({ SENDING: "on", PUBLIC_URL: "https://test.example.com" });
  expect(configFor(config, null).vars).toEqual(vars);
});

it("A deployment's address is written only to the empty PUBLIC_URL of its environment, and a missing PUBLIC_URL is an error", () => {
  const vars = '[vars]\nPUBLIC_URL = "" # PUBLIC_URL = ""\n';
  const [staging, second] = ['[env.staging]\nvars = { A = "", PUBLIC_URL = "" }\n', "[env.second]\n"];
  const test = '[env.test.vars]\n# PUBLIC_URL = ""\nPUBLIC_URL=""\n';
  const text = `${vars}${second}${staging}${test}`;
  expect(withPublicUrl(text, null, "https://a")).toBe(text.replace('PUBLIC_URL = ""', 'PUBLIC_URL = "https://a"'));
  expect(withPublicUrl(text, "staging", "https://b")).toBe(
    text.replace('A = "", PUBLIC_URL = ""', 'A = "", PUBLIC_URL = "https://b"'),
  );
  expect(withPublicUrl(text, "test", "https://c")).toBe(text.replace('PUBLIC_URL=""', 'PUBLIC_URL="https://c"'));
  expect(() => withPublicUrl(text, "second", "https://d")).toThrow(
    'wrangler.toml: add this line to [env.second], and repeat the command:\n\n  vars = { PUBLIC_URL = "" }',
  );
});
