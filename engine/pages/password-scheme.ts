/**
 * The scheme of `Authorization` by which the page that asks for a password sends it (RFC 9110, section 11.1). Clients without a
 * page use `Basic`.
 */
export const PASSWORD_SCHEME = 'Link-Password';
