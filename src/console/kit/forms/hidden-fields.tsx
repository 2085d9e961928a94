import type { FC } from "hono/jsx";

export const HiddenFields: FC<{ fields: Iterable<readonly [name: string, value: string]> }> = ({ fields }) => (
  <>
    {Array.from(fields, ([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/**
 * An invisible button for the Enter key. It must be the form's first button, because that is the one that browsers
 * press when the user presses Enter.
 */
export const EnterButton: FC<{ label: string }> = ({ label }) => (
  <button type="submit" hidden tabindex={-1}>
    {label}
  </button>
);
