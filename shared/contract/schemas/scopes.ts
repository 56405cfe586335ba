/** What secret keys may do. */
export const SCOPES = ['links:read', 'links:write', 'analytics:read', 'webhooks:write'] as const;
export type Scope = (typeof SCOPES)[number];
