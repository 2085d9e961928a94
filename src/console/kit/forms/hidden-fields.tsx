import type { FC } from "hono/jsx";

export const HiddenFields: FC<{ fields: Iterable<readonly [name: string, value: string]> }> = ({ fields }) => (
  <>
    {Array.from(fields, ([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/**
 * An invisible button that decides what Enter does: browsers press the first button of a form. It must
 * therefore be the first one.
 */
export const EnterButton: FC<{ label: string }> = ({ label }) => (
  <button type="submit" hidden tabindex={-1}>
    {label}
  </button>
);
