import type { FC, PropsWithChildren } from "hono/jsx";
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

/** Filters a list as its fields change; without scripts, by its button. `swap` is the id of the list. */
export const FilterForm: FC<PropsWithChildren<{ action: string; label: string; swap: string }>> = ({
  action,
  label,
  swap,
  children,
}) => (
  <form method="get" action={action} class="row filters" role="search" aria-label={label} data-swap={swap} data-live>
    {children}
    <button type="submit" class="plain scriptless">
      Show
    </button>
  </form>
);
