import * as z from "zod";
import { providers } from "../../../features/connections/connections.schemas.ts";

const flags = new Set<string>(Object.values(providers).flatMap((provider) => provider.flags));

/** The settings as forms send them: those that are true or false are text. */
export const typedSettings = z
  .record(z.string(), z.unknown())
  .transform((sent) =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, flags.has(name) ? value === "true" : value])),
  );
