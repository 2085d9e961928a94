export * from "./campaigns.ts";
export * from "./control.ts";
export * from "./contacts.ts";
export * from "./identities.ts";
export * from "./members.ts";
export * from "./messages.ts";
export * from "./operations.ts";
export * from "./templates.ts";
