import * as z from "zod";

// Replaces better-auth's thirty social networks, a twentieth of the script's size. None is supported.

export const socialProviders = {};

export const SocialProviderListEnum = z.never();
