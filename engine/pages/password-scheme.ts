/**
 * The scheme of `Authorization` with which the page that asks for a password sends it (RFC 9110, section 11.1). Clients without
 * that page use `Basic`.
 */
export const PASSWORD_SCHEME = 'Link-Password';
