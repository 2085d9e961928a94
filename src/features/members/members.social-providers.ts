import * as z from "zod";

// In place of the sign-in library's thirty social networks, of which none is offered: they were a twentieth of the script.

export const socialProviders = {};

export const SocialProviderListEnum = z.never();
