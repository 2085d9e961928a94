import type { Context } from "hono";
import type { describeApi } from "./openapi.ts";
import type { AppEnv } from "./app-env.ts";

export const docsPage = (c: Context<AppEnv>, document: ReturnType<typeof describeApi>) =>
  c.html(<pre>{JSON.stringify(document, null, 2)}</pre>);
