import * as z from "zod";
import { providers } from "../../../features/connections/connections.schemas.ts";
import type { SentForm } from "../../kit/forms/forms.ts";

/** The settings of a form as the API takes them: those that are true or false are text in forms. */
export function readSettings(form: SentForm): { config: object } {
  const { config } = z.object({ config: z.record(z.string(), z.unknown()).default({}) }).parse(form.body());
  const flags: readonly string[] = Object.values(providers).flatMap(({ flags: names }) => names);
  const settings = Object.entries(config).map(([name, value]) => [
    name,
    flags.includes(name) ? value === "true" : value,
  ]);
  return { config: Object.fromEntries(settings) };
}
