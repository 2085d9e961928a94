/** Stands in for the real cost in Worker tests, where many users sign in; browser and process tests pay the real one. */
export const PASSWORD_COST = { N: 2, r: 1, p: 1 };
