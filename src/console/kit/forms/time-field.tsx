import type { FC } from "hono/jsx";
import * as z from "zod";
import { TextField } from "./form-fields.tsx";

/** The form submits UTC. `times.client.js` shows the field in the reader's time zone. */
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

/** Browsers submit date and time without a time zone, and usually without seconds. The submitted time is in UTC. */
export const fieldTime = z.string().transform((value) => value.replace(/^(.{13}:\d\d)$/, "$1:00").concat("Z"));
