/** Stands for where this deployment is; a script of the pages puts their own address there. */
export const ORIGIN = "https://tidings.example.com";
