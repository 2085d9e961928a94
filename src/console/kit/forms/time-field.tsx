import type { FC } from "hono/jsx";
import * as z from "zod";
import { TextField } from "./form-fields.tsx";

/** A date and time field. It submits UTC; `times.client.js` shows the reader's time zone. */
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

/** Browsers submit date and time without a zone, usually without seconds. The fields' values are in UTC. */
export const fieldTime = z.string().transform((value) => value.replace(/^(.{13}:\d\d)$/, "$1:00").concat("Z"));
