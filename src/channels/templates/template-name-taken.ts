import { ProviderError } from "../channel.ts";

/** The error for a template whose name exists in its language. */
export class TemplateNameTaken extends ProviderError {}
