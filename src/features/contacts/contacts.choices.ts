// The choices among a contact's own fields, and the values of a contact that was sent none. Pure.

export const contactStatuses = ["hot", "warm", "active", "cold", "new"] as const;
export const lifecycleStages = ["lead", "prospect", "negotiation", "customer", "churned"] as const;

/** These columns are never null: clearing one sets it back to this. */
export const contactDefaults = { status: "new", lifecycle_stage: "lead", source: "api" } as const;
