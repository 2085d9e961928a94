const STOP = new Set(["STOP", "UNSUBSCRIBE", "CANCEL", "PARAR", "SAIR", "BAJA", "ALTO", "ARRET", "STOPP"]);
const START = new Set(["START", "UNSTOP"]);

/** WhatsApp's own quick reply of marketing templates, in the language of the template: it stops marketing, nothing else. */
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

/** The words of a text without punctuation, space and emoji, folded to be compared. */
const wordsOf = (text: string): string[] => {
  const folded = text
    .replace(/\p{RGI_Emoji}/gv, " ") // first: keycaps and ℹ️ hold a digit or a letter
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
};

const foldedText = (text: string) => wordsOf(text).join(" ");

/** Folded with the first text: the expressions of `wordsOf` take long to compile, and a Worker would start with that. */
let stopPromotions: Set<string> | undefined;

/** True for a text that is, as a whole, the quick reply that stops marketing; it may be pressed or typed. */
export function stopsMarketing(text: string): boolean {
  stopPromotions ??= new Set(STOP_PROMOTIONS.map(foldedText));
  return stopPromotions.has(foldedText(text));
}

/**
 * The request of a text that is one opt-out or opt-in word, apart from punctuation, space and emoji; else null.
 * Case, accents and full width do not matter. Upper case is compared: it folds the Turkish ı, lower case does not.
 */
export function optOutWord(text: string): "stop" | "start" | null {
  const [word = "", ...others] = wordsOf(text);
  if (others.length > 0) return null;
  if (STOP.has(word)) return "stop";
  return START.has(word) ? "start" : null;
}
