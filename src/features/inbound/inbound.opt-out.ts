const STOP = new Set(["STOP", "UNSUBSCRIBE", "CANCEL", "PARAR", "SAIR", "BAJA", "ALTO", "ARRET", "STOPP"]);
const START = new Set(["START", "UNSTOP"]);

/**
 * What a whole message asks for when it is one opt-out word and nothing else but punctuation, space and emoji.
 * Case, accents and full width do not matter. Upper case is compared: it folds the Turkish ı, lower case does not.
 */
export function optOutWord(text: string): "stop" | "start" | null {
  const folded = text
    .replace(/\p{RGI_Emoji}/gv, " ") // first: keycaps and ℹ️ hold a digit or a letter
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase();
  const [word = "", ...others] = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (others.length > 0) return null;
  if (STOP.has(word)) return "stop";
  return START.has(word) ? "start" : null;
}
