// A module of its own, so that tests that need no real cost can put a cheap one in its place.

/** 16 MB and about 0.15 s: of OWASP's equal choices for scrypt one that leaves a Worker's 128 MB and CPU time alone. */
export const PASSWORD_COST = { N: 2 ** 14, r: 8, p: 5 };
