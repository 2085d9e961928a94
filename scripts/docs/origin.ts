/** Placeholder for this deployment's address, which a script of the pages replaces. */
export const ORIGIN = "https://tidings.example.com";

/** Default address of `npm start`. On localhost, pages show the address that serves them. */
export const LOCAL_ORIGIN = "http://localhost:8787";

/** A note for readers whose browsers run no scripts. */
export const PLACEHOLDER_NOTE = `Replace ${ORIGIN} with the address of your deployment.`;
