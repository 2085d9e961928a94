const ID = /^[a-z]{2,5}_[0-9a-z]{26}$/;
const WORD = /^[a-z-]{1,40}$/;
/** Replaces parts of a path that could identify a person, because the log must not contain personal data. */
const HIDDEN = "…";
const MAX_LENGTH = 200;
const MAX_NAMES = 20;

export function loggedPath(path: string, route: string | null): string {
  const routeParts = route?.split("/") ?? [];
  const parts = path.split("/").map((part, index) => {
    const isWord = route === null ? index <= FIRST_NAME && WORD.test(part) : routeParts[index] === part;
    return part === "" || isWord || part === VERSION || ID.test(part) ? part : HIDDEN;
  });
  return parts.join("/").slice(0, MAX_LENGTH);
}

const VERSION = "v1";
const FIRST_NAME = 3;

/** Logs only names that look like parameters of our API, because a name in a mistyped URL can contain personal data. */
export const loggedQuery = (query: URLSearchParams): string[] =>
  [...new Set(query.keys())].filter((name) => /^[a-z_]{1,40}$/.test(name)).slice(0, MAX_NAMES);
