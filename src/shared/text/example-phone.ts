import examples from "libphonenumber-js/mobile/examples";
import { type CountryCode, getExampleNumber } from "libphonenumber-js/min";

export function examplePhone(country: CountryCode): { national: string; international: string } | null {
  const example = getExampleNumber(country, examples);
  if (example === undefined) return null;
  return { national: example.formatNational(), international: example.formatInternational() };
}
