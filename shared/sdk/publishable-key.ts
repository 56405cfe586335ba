const KEY = /^pk_(?:test|live)_[0-9A-Za-z]{32}$/;

/** What a client with the key stores the installation under. Other names begin with it. */
export function storageKeyOf(publishableKey: string): string {
  return `link-service:${publishableKey.slice(0, 16)}`;
}

/** Returns what is wrong with the options of a client; null if nothing is. No sentence contains the text of a key, because these end up in logs. */
export function faultOf(publishableKey: unknown, earlierKeys: unknown, timeoutMs: unknown): string | null {
  const key = String(publishableKey);
  if (key.startsWith('sk_'))
    return 'publishableKey is a secret key: it must not be in an app or a page. Revoke it if it was published, and pass a key of the form pk_test_... or pk_live_...';
  if (!KEY.test(key)) return 'publishableKey must be a key of the form pk_test_... or pk_live_...';
  const environment = key.slice(0, 'pk_test_'.length);
  if (!Array.isArray(earlierKeys) || !earlierKeys.every((each) => KEY.test(String(each)) && String(each).startsWith(environment)))
    return `earlierKeys must be an array of keys of the form ${environment}...`;
  return typeof timeoutMs === 'number' && timeoutMs > 0 ? null : 'timeoutMs must be a number of milliseconds above 0.';
}
