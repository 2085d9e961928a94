/** Placeholder for this deployment's address. A script of the pages replaces it. */
export const ORIGIN = "https://tidings.example.com";

/** Default address of `npm start`. On localhost, pages show the address that serves them. */
export const LOCAL_ORIGIN = "http://localhost:8787";

/** For readers without scripts. */
export const PLACEHOLDER_NOTE = `Replace ${ORIGIN} with the address of your deployment.`;
