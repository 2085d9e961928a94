import * as z from "zod";

// Replaces better-auth's list of social networks, which we do not support. The list would be a twentieth of the
// script's size.

export const socialProviders = {};

export const SocialProviderListEnum = z.never();
