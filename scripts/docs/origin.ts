/** The placeholder for the address of the deployment. On the pages, a script replaces it with the real address. */
export const ORIGIN = "https://tidings.example.com";

/** The default address of `npm start`. On localhost, a script replaces it with the address of the page. */
export const LOCAL_ORIGIN = "http://localhost:8787";

export const PLACEHOLDER_NOTE = `Replace ${ORIGIN} with the address of your deployment.`;
