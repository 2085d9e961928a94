const STOP = new Set(["STOP", "UNSUBSCRIBE", "CANCEL", "PARAR", "SAIR", "BAJA", "ALTO", "ARRET", "STOPP"]);
const START = new Set(["START", "UNSTOP"]);

/** The quick reply in WhatsApp's marketing templates, in the language of the template. It stops only marketing. */
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

const wordsOf = (text: string): string[] => {
  const folded = text
    .replace(/\p{RGI_Emoji}/gv, " ") // must be first, otherwise the 1 of 1️⃣ counts as a word
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
};

const foldedText = (text: string) => wordsOf(text).join(" ");

/**
 * Created on first use, because the regular expressions in `wordsOf` compile slowly and would delay the Worker's start.
 */
let stopPromotions: Set<string> | undefined;

export function stopsMarketing(text: string): boolean {
  stopPromotions ??= new Set(STOP_PROMOTIONS.map(foldedText));
  return stopPromotions.has(foldedText(text));
}

/**
 * Ignores punctuation, spaces, emoji, case, accents and full width. Compares in upper case, because lower case does not
 * fold the Turkish ı.
 */
export function optOutWord(text: string): "stop" | "start" | null {
  const [word = "", ...others] = wordsOf(text);
  if (others.length > 0) return null;
  if (STOP.has(word)) return "stop";
  return START.has(word) ? "start" : null;
}
