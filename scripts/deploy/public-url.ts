import { StartError } from "../start/settings.ts";
import { CONFIG_FILE } from "./config.ts";

const EMPTY = /^([^#\n]*\bPUBLIC_URL\s*=\s*)""/m;

/**
 * Returns the text of wrangler.toml after setting `PUBLIC_URL` of the environment `name` to `address`. For production,
 * `name` is null. Throws if the text has no empty `PUBLIC_URL` for this environment.
 */
export function withPublicUrl(text: string, name: string | null, address: string): string {
  const sections = text.split(/^(?=\[)/m);
  const isOwn = (section: string) =>
    name === null
      ? !section.startsWith("[env.")
      : section.startsWith(`[env.${name}]`) || section.startsWith(`[env.${name}.vars]`);
  const index = sections.findIndex((section) => isOwn(section) && EMPTY.test(section));
  if (index === -1)
    throw new StartError(
      name === null
        ? `${CONFIG_FILE}: add this line to [vars], and repeat the command:\n\n  PUBLIC_URL = ""`
        : `${CONFIG_FILE}: add this line to [env.${name}], and repeat the command:\n\n  vars = { PUBLIC_URL = "" }`,
    );
  return sections
    .map((section, each) =>
      each === index ? section.replace(EMPTY, (_, start: string) => `${start}"${address}"`) : section,
    )
    .join("");
}
