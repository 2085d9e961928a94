const STOP = new Set(["STOP", "UNSUBSCRIBE", "CANCEL", "PARAR", "SAIR", "BAJA", "ALTO", "ARRET", "STOPP"]);
const START = new Set(["START", "UNSTOP"]);

/** WhatsApp's quick reply in marketing templates, in the template's language. It stops only marketing. */
const STOP_PROMOTIONS = [
  "Stop promotions",
  "Parar promoções",
  "Detener promociones",
  "Arrêter les promotions",
  "Werbeaktionen stoppen",
  "Promotionen stoppen",
  "Interrompi promozioni",
  "Promoties stoppen",
  "Hentikan promosi",
  "Promosyonları durdur",
  "Остановить рекламу",
  "إيقاف العروض الترويجية",
];

/** The folded words of a text, without punctuation, spaces and emoji. */
const wordsOf = (text: string): string[] => {
  const folded = text
    .replace(/\p{RGI_Emoji}/gv, " ") // first: keycaps and ℹ️ contain a digit or a letter
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
};

const foldedText = (text: string) => wordsOf(text).join(" ");

/** Created with the first text, because the expressions of `wordsOf` compile slowly and would delay the Worker's start. */
let stopPromotions: Set<string> | undefined;

/** True if the whole text is the quick reply that stops marketing, pressed or typed. */
export function stopsMarketing(text: string): boolean {
  stopPromotions ??= new Set(STOP_PROMOTIONS.map(foldedText));
  return stopPromotions.has(foldedText(text));
}

/**
 * The request of a text that is one opt-out or opt-in word, ignoring punctuation, spaces, emoji, case, accents and full width; else
 * null. Compares upper case, which folds the Turkish ı; lower case does not.
 */
export function optOutWord(text: string): "stop" | "start" | null {
  const [word = "", ...others] = wordsOf(text);
  if (others.length > 0) return null;
  if (STOP.has(word)) return "stop";
  return START.has(word) ? "start" : null;
}
