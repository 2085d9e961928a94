import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../node_modules/wrangler/bin/wrangler.js", import.meta.url));

/** The arguments with which Node runs wrangler. */
export function wrangler(...args: string[]): string[] {
  return [CLI, ...args];
}

/** Local runs record no traces (they double the CPU), call nobody, and ask no questions. */
export function wranglerEnv(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
  };
}
