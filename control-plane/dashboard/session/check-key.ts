import type { Environment } from '../../../shared/contract/schemas/environment.js';
import { ApiError, call } from '../api/client.js';
import { text } from '../language/text.js';
import { ownServer } from './session.js';

export type KeyCheck =
  | { readonly outcome: 'accepted'; readonly environment: Environment }
  | { readonly outcome: 'refused'; readonly field: '/server' | '/secret_key'; readonly detail: string };

/** Asks the server which environment a key belongs to, before the key is stored. */
export async function checkKey(server: string, secretKey: string): Promise<KeyCheck> {
  if (secretKey.startsWith('pk_'))
    return refused(
      '/secret_key',
      text('This is a publishable key, which is for apps. The dashboard needs a secret key: sk_live_… or sk_test_…'),
    );
  if (!/^sk_(live|test)_\w+$/.test(secretKey)) return refused('/secret_key', text('A secret key begins with sk_live_ or sk_test_.'));
  const own = new URL(ownServer());
  const origin = originOf(server);
  if (origin === null) return refused('/server', text('Enter the address of the API, such as {href}', { href: own.href }));
  // The page's content security policy allows calls only to its own origin, so that a key cannot be sent anywhere else.
  if (origin !== own.origin)
    return refused(
      '/server',
      text('This page can call only {origin}. Open the dashboard of the other server instead: it is at /dashboard/ on that server.', {
        origin: own.origin,
      }),
    );
  try {
    return { outcome: 'accepted', environment: await call({ server, secretKey }, 'GET /environment', {}) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'unauthorized') return refused('/secret_key', text('The server does not know this key. It may have been revoked.'));
    if (error.code === 'insufficient_scope') return refused('/secret_key', text('The key needs the scope links:read or links:write.'));
    return refused('/server', error.message);
  }
}

/** Returns null if the text is not a URL. */
function originOf(address: string): string | null {
  try {
    return new URL(address).origin;
  } catch {
    return null;
  }
}

function refused(field: '/server' | '/secret_key', detail: string): KeyCheck {
  return { outcome: 'refused', field, detail };
}
