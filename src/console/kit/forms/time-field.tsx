// Day and time in forms. They are sent in UTC; `times.client.js` shows them in the reader's time zone.
import type { FC } from "hono/jsx";
import * as z from "zod";
import { TextField } from "./form-fields.tsx";

/** A field of day and time. A script shows it in the reader's time zone; it always sends UTC. */
export const TimeField: FC<{ name: string; label: string; help?: string; required?: boolean }> = ({
  help = "",
  ...field
}) => (
  <TextField
    {...field}
    type="datetime-local"
    help={
      <>
        {help} <span data-moment={field.name}>Enter it in UTC.</span>
      </>
    }
  />
);

/** Browsers send day and time without a zone and mostly without seconds; the fields' are in UTC. */
export const fieldTime = z.string().transform((value) => value.replace(/^(.{13}:\d\d)$/, "$1:00").concat("Z"));
