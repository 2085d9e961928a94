import type { FC } from "hono/jsx";

export const HiddenFields: FC<{ fields: Iterable<readonly [name: string, value: string]> }> = ({ fields }) => (
  <>
    {Array.from(fields, ([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** Must be the first button of a form, because Enter presses the first button. It is invisible. */
export const EnterButton: FC<{ label: string }> = ({ label }) => (
  <button type="submit" hidden tabindex={-1}>
    {label}
  </button>
);
