import { fold } from "../../shared/folding.ts";

/** What a tag's name is known by: names with the same key are one tag. A name that folds to nothing stands for itself. */
export const tagKey = (name: string): string => fold(name) || name;
