/** Stands for where this deployment is; a script of the pages puts their own address there. */
export const ORIGIN = "https://tidings.example.com";

/** For those who read without scripts. */
export const PLACEHOLDER_NOTE = `${ORIGIN} stands for the address of your Tidings.`;
