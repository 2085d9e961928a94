import { resolve } from "node:path";
import { expect, it } from "vitest";
import { runNode } from "../../../scripts/wrangler.ts";
import { makeStateDir } from "../service.ts";

const NOT_SIGNED_IN = "Not signed in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN";

it.each([
  ["deploy", [], undefined, NOT_SIGNED_IN],
  ["migrate", ["--remote"], undefined, NOT_SIGNED_IN],
  ["backup", ["--remote"], undefined, NOT_SIGNED_IN],
  ["deploy", ["--location", "europe"], undefined, "--location must be one of weur, eeur, wnam, enam, apac, oc"],
  ["deploy", ["--verbose"], undefined, "Unknown option '--verbose'"],
  ["deploy", [], "production", "wrangler.toml has no [env.production]."],
  ["migrate", [], "staging", "CLOUDFLARE_ENV works only with --remote."],
  ["backup", [], "staging", "CLOUDFLARE_ENV works only with --remote."],
  ["rebuild-search", ["--remot"], undefined, "Unknown option '--remot'"],
])(
  "An operator's mistake is explained in one line without a stack: %s %j, CLOUDFLARE_ENV %s",
  async (name, args, environment, line) => {
    const HOME = makeStateDir(); // without the login of this machine
    const env = { CLOUDFLARE_ENV: environment, CLOUDFLARE_API_TOKEN: undefined, HOME, XDG_CONFIG_HOME: HOME };
    const printed = await runNode([resolve(`scripts/${name}.ts`), ...args], { name, env }).catch(String);
    expect(printed).toContain(line);
    expect(
      printed
        .trim()
        .split("\n")
        .filter((each) => !each.startsWith("Backup of")),
    ).toHaveLength(2);
  },
);
