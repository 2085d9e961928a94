import { ProviderError } from "../channel.ts";

/** The refusal of a template whose name is taken in its language. */
export class TemplateNameTaken extends ProviderError {}
