/** Placeholder for the address of the deployment. A script on the pages replaces it. */
export const ORIGIN = "https://tidings.example.com";

/** Default address of `npm start`. On localhost, pages show their own address instead. */
export const LOCAL_ORIGIN = "http://localhost:8787";

export const PLACEHOLDER_NOTE = `Replace ${ORIGIN} with the address of your deployment.`;
