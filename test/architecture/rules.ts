/** The import rules. `npm run check` applies them to src/, and architecture.test.ts tests each rule. */

/** Regular expressions. A path matches if it matches one of `path` and none of `pathNot`. */
export interface Paths {
  path?: string | string[];
  pathNot?: string | string[];
}

export interface ImportRule {
  name: string;
  comment: string;
  from: Paths & { path?: string };
  /** A path from the root, or the name of a package's module. `$1` is the first group that `from.path` captures. */
  to: Paths;
  /** Forbids imports that lead back to the importing file. */
  isCyclic: boolean;
}

/** The folders that a top folder may import, besides itself. */
const LAYERS = {
  entrypoints: ["documentation", "console", "features", "http", "channels", "db", "shared"],
  documentation: ["features", "http", "shared"],
  console: ["features", "http", "channels", "shared"],
  features: ["http", "channels", "db", "shared"],
  http: ["shared"],
  channels: ["shared"],
  db: ["shared"],
  shared: [],
};

/** A feature may import only features of lower rank. The console has the highest rank. */
const RANKS = [
  ["rate-limits", "pacing", "idempotency", "scans", "events", "request-log"],
  ["commits"],
  ["members", "tags", "custom-fields"],
  ["connections", "contacts"],
  ["contact-views", "media"],
  ["api-keys", "templates", "segments", "conversations", "sandbox"],
  ["workspaces", "canned-replies", "messages", "statistics"],
  ["people"],
  ["campaigns", "inbound", "user-merges"],
  ["event-feed", "profiles"],
  ["webhooks", "live-updates"],
  ["overview", "status"],
];

const ROLES = ["routes", "schemas", "views", "service", "sql", "jobs", "object", "middleware"];

const anyOf = (names: string[]) => `(?:${names.join("|")})`;
const layer = (...names: string[]) => `^src/${anyOf(names)}/`;
const features = (names: string[]) => `^src/features/${anyOf(names)}/`;
const role = (...names: string[]) => `[.]${anyOf(names)}[.]tsx?$`;
const npm = (name: string) => `^${name}(?:/|$)`;

const FEATURE = "^src/features/([^/]+)/";
const OWN_FEATURE = "^src/features/$1/";
const PURE_PART = "^src/features/[^/]+/[^/.]+[.][^/.]+[.]tsx?$";
const PRIVATE = ["routes", "jobs", "object"];

const forbid = (name: string, comment: string, from: ImportRule["from"], to: Paths): ImportRule => ({
  name,
  comment,
  from,
  to,
  isCyclic: false,
});

const layerRules = Object.entries(LAYERS).map(([name, allowed]) =>
  forbid(
    `layer-${name}`,
    `src/${name} may import ${allowed.length > 0 ? allowed.join(", ") : "nothing else of src"}.`,
    { path: layer(name) },
    { path: "^src/", pathNot: layer(name, ...allowed) },
  ),
);

const rankRules = RANKS.map((names, rank) =>
  forbid(
    `rank-${rank}`,
    `Features of rank ${rank} may import features of lower ranks only.`,
    { path: `^src/features/(${names.join("|")})/` },
    { path: "^src/features/", pathNot: [OWN_FEATURE, ...RANKS.slice(0, rank).map(features)] },
  ),
);

export const rules: ImportRule[] = [
  ...layerRules,
  ...rankRules,
  { ...forbid("no-cycle", "Imports go one way, those of types too.", {}, {}), isCyclic: true },
  forbid(
    "feature-has-a-rank",
    "Every feature has its place in RANKS.",
    {},
    { path: "^src/features/", pathNot: features(RANKS.flat()) },
  ),
  forbid(
    "index-names-entries-only",
    "src/index.ts imports the entrypoints and exports the Durable Objects.",
    { path: "^src/index[.]ts$" },
    { path: "^src/", pathNot: ["^src/entrypoints/", role("object")] },
  ),
  forbid(
    "entry-files-are-entered-only",
    "Nothing imports the entry files.",
    { path: "^src/", pathNot: ["^src/index[.]ts$", "^src/entrypoints/"] },
    { path: ["^src/index[.]ts$", "^src/entrypoints/"] },
  ),
  forbid(
    "entrypoints-do-not-query",
    "Entrypoints run no statement.",
    { path: "^src/entrypoints/" },
    { path: role("sql") },
  ),
  forbid(
    "other-features-inside-is-private",
    "A feature's routes, jobs and object are its own. Statements of a lower feature may be composed into a batch.",
    { path: FEATURE },
    { path: `^src/features/.*${role(...PRIVATE)}`, pathNot: OWN_FEATURE },
  ),
  forbid(
    "console-calls-services",
    "The console calls services, as routes do.",
    { path: "^src/console/" },
    { path: `^src/features/.*${role("sql", ...PRIVATE)}` },
  ),
  forbid(
    "console-knows-contents-only",
    "Of channels the console knows the shapes of messages and templates, which it shows, and the facts of providers.",
    { path: "^src/console/" },
    {
      path: layer("channels"),
      pathNot: "^src/channels/(?:content|providers|templates/channel-templates|templates/components)[.]ts$",
    },
  ),
  forbid(
    "http-stays-at-the-door",
    "In a feature only routes, schemas, views and middleware know HTTP.",
    { path: "^src/features/", pathNot: role("routes", "schemas", "views", "middleware") },
    { path: ["^src/http/", npm("hono"), npm("@hono")] },
  ),
  forbid(
    "hono-stays-at-the-door",
    "The floor knows no HTTP framework.",
    { path: layer("channels", "db", "shared") },
    { path: [npm("hono"), npm("@hono")] },
  ),
  forbid(
    "drizzle-stays-behind-the-door",
    "Features and src/db import drizzle, but for files that know HTTP or show something; shared/context.ts names the type of ctx.db.",
    {
      path: "^src/",
      pathNot: [
        "^src/db/",
        "^src/shared/context[.]ts$",
        `^src/features/(?!.*${role("routes", "schemas", "views", "middleware")})`,
      ],
    },
    { path: npm("drizzle-orm") },
  ),
  forbid(
    "routes-do-not-query",
    "Routes call a service; they know no statement and no database.",
    { path: role("routes") },
    { path: ["^src/db/", role("sql")] },
  ),
  forbid(
    "pure-parts-are-pure",
    "A part with its own name (templates.fitting.ts) computes; it calls nobody.",
    { path: PURE_PART, pathNot: role(...ROLES) },
    {
      path: [layer("http", "channels", "db"), role(...ROLES.filter((name) => name !== "schemas" && name !== "views"))],
      pathNot: "^src/channels/(?:content|providers|templates/channel-templates|templates/components)[.]ts$",
    },
  ),
  forbid(
    "feature-files-have-roles",
    "In a feature: <name>.<role>.ts, <feature>.<part>.ts, or a verb (send-message.ts); at most one folder deep, for a stage.",
    {},
    {
      path: "^src/features/",
      pathNot: [
        `^src/features/[^/]+/[a-z-]+${role(...ROLES)}`,
        `^src/features/[^/]+/[a-z-]+/[a-z-]+${role(...ROLES)}`,
        "^src/features/([^/]+)/\\1[.][a-z-]+[.]tsx?$",
        "^src/features/[^/]+/[a-z]+-[a-z-]+[.]ts$",
        "^src/features/[^/]+/[a-z-]+/[a-z]+-[a-z-]+[.]ts$",
      ],
    },
  ),
  forbid("no-barrels", "Import the file itself.", {}, { path: "^src/.+/index[.]tsx?$", pathNot: "^src/db/schema/" }),
];
