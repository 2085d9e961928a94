// Time zones as people choose and read them.

/** The runtime lists these zones under names that are no longer theirs. Both are taken. */
const currentNames = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

/** `America/Los Angeles` */
export const formatTimeZone = (zone: string): string => zone.replaceAll("_", " ");

/** UTC is no zone of a place, and left out of the runtime's list. */
export function timeZoneOptions(chosen: string) {
  const listed = Intl.supportedValuesOf("timeZone").map((zone) => currentNames.get(zone) ?? zone);
  return [...new Set(["UTC", chosen, ...listed.toSorted()])].map((value) => ({ value, label: formatTimeZone(value) }));
}
