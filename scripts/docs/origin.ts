/** Stands for where this deployment is; a script of the pages puts their own address there. */
export const ORIGIN = "https://tidings.example.com";

/** Where `npm start` serves by default. Pages that a service on this machine serves show its own address instead. */
export const LOCAL_ORIGIN = "http://localhost:8787";

/** For those who read without scripts. */
export const PLACEHOLDER_NOTE = `${ORIGIN} stands for the address of your Tidings.`;
