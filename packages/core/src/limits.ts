/** API keys that a store may have, with those that have expired. */
export const maxApiKeys = 1000;
