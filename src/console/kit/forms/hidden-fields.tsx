import type { FC } from "hono/jsx";

/** Submits fixed values with the form. */
export const HiddenFields: FC<{ fields: Iterable<readonly [name: string, value: string]> }> = ({ fields }) => (
  <>
    {Array.from(fields, ([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** An invisible first button: Enter presses a form's first button. */
export const EnterButton: FC<{ label: string }> = ({ label }) => (
  <button type="submit" hidden tabindex={-1}>
    {label}
  </button>
);
