import * as z from "zod";

// Replaces better-auth's list of social networks, which Tidings does not support. The list is a twentieth of the
// script's size.

export const socialProviders = {};

export const SocialProviderListEnum = z.never();
