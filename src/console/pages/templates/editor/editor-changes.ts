import { isTicked, type SentValues } from "../../../kit/forms/forms.ts";
import { cardButtonKinds, countCards, countRows, MAX_BUTTONS, MAX_CARDS, MIN_CARDS, typedIn } from "./editor-values.ts";

function reorder(values: SentValues, list: string, order: readonly number[]): SentValues {
  const moved = new Map([...values].filter(([name]) => !name.startsWith(`${list}.`)));
  order.forEach((from, to) => {
    for (const [name, texts] of values)
      if (name.startsWith(`${list}.${from}.`))
        moved.set(`${list}.${to}.${name.slice(`${list}.${from}.`.length)}`, texts);
  });
  return moved;
}

const positions = (count: number): number[] => Array.from({ length: count }, (_, position) => position);

const CHANGE = /^(add|remove|up)(?::(buttons|cards)(?:\.(\d))?)?$/;

function fieldOfRow(values: SentValues, list: string, position: number): string {
  if (list === "buttons")
    return `buttons.${position}.${typedIn(values, `buttons.${position}.type`) === "COPY_CODE" ? "example" : "text"}`;
  if (isTicked(values, "card_texts")) return `cards.${position}.body.text`;
  const kind = cardButtonKinds(values)[0] ?? "";
  return `cards.${position}.${kind === "" ? "header.media_id" : "buttons.0.text"}`;
}

export function applyChange(values: SentValues, change: string): { values: SentValues; focus: string | null } {
  const [, what, list = "", at = "0"] = CHANGE.exec(change) ?? [];
  const position = Number(at);
  const count = list === "cards" ? countCards(values) : countRows(values, "buttons");
  const rows = positions(count);
  if (what === "add") return addRow(values, list, count);
  if (what === "remove" && (list === "buttons" || count > MIN_CARDS)) {
    const left = reorder(
      values,
      list,
      rows.filter((row) => row !== position),
    );
    return { values: left, focus: count === 1 ? "new_button" : fieldOfRow(left, list, Math.min(position, count - 2)) };
  }
  if (what === "up" && position > 0) {
    const order = rows.map((row) => (row === position - 1 ? position : row === position ? position - 1 : row));
    const moved = reorder(values, list, order);
    return { values: moved, focus: fieldOfRow(moved, list, position - 1) };
  }
  return { values, focus: null };
}

function addRow(values: SentValues, list: string, count: number) {
  if (count >= (list === "cards" ? MAX_CARDS : MAX_BUTTONS)) return { values, focus: null };
  const added: [string, string] =
    list === "cards"
      ? [`cards.${count}.header.media_id`, ""]
      : [`buttons.${count}.type`, typedIn(values, "new_button") || "QUICK_REPLY"];
  const more = new Map([...values, [added[0], [added[1]]] as const]);
  return { values: more, focus: fieldOfRow(more, list, count) };
}
