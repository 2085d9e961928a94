/** Stands for where this deployment is; a script of the pages puts their own address there. */
export const ORIGIN = "https://tidings.example.com";

/** Default address of `npm start`. On localhost, pages show the address that serves them instead. */
export const LOCAL_ORIGIN = "http://localhost:8787";

/** For those who read without scripts. */
export const PLACEHOLDER_NOTE = `${ORIGIN} stands for the address of your Tidings.`;
