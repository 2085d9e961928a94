import type { FC } from "hono/jsx";
import { type Option, Options } from "./form-fields.tsx";

/** A select outside of `Form` that filters a list. */
export const FilterSelect: FC<{
  name: string;
  label: string;
  options: readonly Option[];
  chosen: string | undefined;
}> = ({ name, label, options, chosen }) => (
  <div class="field">
    <label for={`filter-${name}`}>{label}</label>
    <select id={`filter-${name}`} name={name}>
      <Options options={options} chosen={chosen} />
    </select>
  </div>
);
