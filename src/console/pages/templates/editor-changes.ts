// Changes of the editor's rows by its buttons: another button or card, one less, one further up. Pure.
import type { SentValues } from "../../kit/forms.ts";
import { cardButtonKinds, countCards, countRows, MAX_BUTTONS, MAX_CARDS, MIN_CARDS, typedIn } from "./editor-values.ts";

/** The fields of a list with its rows in another order; `order` has the old place of each row that stays. */
function reorder(values: SentValues, list: string, order: readonly number[]): SentValues {
  const moved = new Map([...values].filter(([name]) => !name.startsWith(`${list}.`)));
  order.forEach((from, to) => {
    for (const [name, texts] of values)
      if (name.startsWith(`${list}.${from}.`))
        moved.set(`${list}.${to}.${name.slice(`${list}.${from}.`.length)}`, texts);
  });
  return moved;
}

const places = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

const CHANGE = /^(add|remove|up)(?::(buttons|cards)(?:\.(\d))?)?$/;

/** The values after the button `change` was pressed, and the field that is to have the focus. */
export function applyChange(values: SentValues, change: string): { values: SentValues; focus: string | null } {
  const [, what, list = "", at = "0"] = CHANGE.exec(change) ?? [];
  const place = Number(at);
  const count = list === "cards" ? countCards(values) : countRows(values, "buttons");
  const rows = places(count);
  if (what === "add") return addRow(values, list, count);
  if (what === "remove" && (list === "buttons" || count > MIN_CARDS)) {
    const left = rows.filter((row) => row !== place);
    return { values: reorder(values, list, left), focus: null };
  }
  if (what === "up" && place > 0) {
    const order = rows.map((row) => (row === place - 1 ? place : row === place ? place - 1 : row));
    return { values: reorder(values, list, order), focus: null };
  }
  return { values, focus: null };
}

function addRow(values: SentValues, list: string, count: number) {
  if (count >= (list === "cards" ? MAX_CARDS : MAX_BUTTONS)) return { values, focus: null };
  if (list === "cards") {
    const first = cardButtonKinds(values)[0] ?? "";
    const focus = values.has("card_texts")
      ? `cards.${count}.body.text`
      : first === ""
        ? null
        : `cards.${count}.buttons.0.text`;
    return { values: new Map([...values, [`cards.${count}.header.media_id`, [""]]]), focus };
  }
  const kind = typedIn(values, "new_button") || "QUICK_REPLY";
  const focus = `buttons.${count}.${kind === "COPY_CODE" ? "example" : "text"}`;
  return { values: new Map([...values, [`buttons.${count}.type`, [kind]]]), focus };
}
