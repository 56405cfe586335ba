/**
 * Whether a key can be the value of a header. The error that fetch throws for any other one quotes the whole header, so the key would
 * be printed.
 */
export const isSendableKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key);
