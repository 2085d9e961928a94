import * as z from "zod";
import { providers } from "../../../features/connections/connections.schemas.ts";
import type { SentForm } from "../../kit/forms/forms.ts";

/** Converts form settings to API settings. Forms submit booleans as text. */
export function readSettings(form: SentForm): { config: object } {
  const { config } = z.object({ config: z.record(z.string(), z.unknown()).default({}) }).parse(form.body());
  const flags: readonly string[] = Object.values(providers).flatMap(({ flags: names }) => names);
  const settings = Object.entries(config).map(([name, value]) => [
    name,
    flags.includes(name) ? value === "true" : value,
  ]);
  return { config: Object.fromEntries(settings) };
}
