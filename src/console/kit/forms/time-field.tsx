import type { FC } from "hono/jsx";
import * as z from "zod";
import { TextField } from "./form-fields.tsx";

/** The form submits UTC. `times.client.js` lets the user enter the time in their own time zone. */
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

/** Adds seconds and the zone UTC, because browsers submit no time zone and usually no seconds. */
export const fieldTime = z.string().transform((value) => value.replace(/^(.{13}:\d\d)$/, "$1:00").concat("Z"));
