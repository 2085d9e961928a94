// Provider ids of people without a number.

/** Meta: the person's country, a dot and up to 128 letters and digits; ids of a group of businesses have ENT between. */
const WHATSAPP_CLOUD = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;
const WAHA = /^\d{5,20}@lid$/;
/** In the sandbox any text but a number. */
const SANDBOX = /^(?!\+|\d{7,}$)\S+$/u;

/** The providers whose user ids have this format. */
export const providersWithUserId = (userId: string): string[] =>
  [
    { provider: "sandbox", form: SANDBOX },
    { provider: "whatsapp_cloud", form: WHATSAPP_CLOUD },
    { provider: "waha", form: WAHA },
  ]
    .filter(({ form }) => form.test(userId))
    .map(({ provider }) => provider);
