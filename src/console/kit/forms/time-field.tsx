import type { FC } from "hono/jsx";
import * as z from "zod";
import { TextField } from "./form-fields.tsx";

/** The form submits the time in UTC. With scripts, `times.client.js` lets the user enter it in their own time zone. */
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

/** Adds the seconds, if the browser has not submitted any, and the zone UTC, which browsers never submit. */
export const fieldTime = z.string().transform((value) => value.replace(/^(.{13}:\d\d)$/, "$1:00").concat("Z"));
