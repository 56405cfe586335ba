/** Scopes that rows share: the key needs any one of them. */
export const READ_LINKS = ['links:read', 'links:write'] as const;
export const WRITE_LINKS = ['links:write'] as const;
export const WEBHOOKS = ['webhooks:write'] as const;
