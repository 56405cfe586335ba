import { parseUrl } from '../base/parse-url.js';
import { readBaseUrl } from './base-url.js';
import { ConfigurationError } from './errors.js';

const SECRET_KEY = /^sk_(test|live)_[0-9A-Za-z]{32}$/;

/** Throws if the key is not one for servers. No message contains its text, because messages end up in logs. */
export function requireSecretKey(key: unknown): string {
  if (typeof key !== 'string' || key === '')
    throw new ConfigurationError('secretKey is missing: pass a key of the form sk_test_... or sk_live_...');
  if (key.startsWith('pk_'))
    throw new ConfigurationError(
      'secretKey is a publishable key. Publishable keys are for apps and browsers, and are accepted on /sdk/* only.',
    );
  if (!SECRET_KEY.test(key))
    throw new ConfigurationError('secretKey is malformed: it must be sk_test_ or sk_live_ followed by 32 letters and digits.');
  return key;
}

/** What distinguishes a browser, its workers and its extensions from every runtime of servers. */
interface Surroundings {
  readonly window?: { readonly document?: unknown };
  readonly importScripts?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly process?: { readonly versions?: { readonly node?: string } };
}

/** Throws in a browser, because every visitor of the page could read the key. Windows of Electron and of test runners count as browsers. */
export function refuseBrowser(surroundings: object): void {
  const { window, importScripts, WorkerGlobalScope, process } = surroundings as Surroundings;
  const inPage = typeof window === 'object' && window !== null && window.document !== undefined;
  const inWorker = process?.versions?.node === undefined && typeof importScripts === 'function' && WorkerGlobalScope !== undefined;
  if (inPage || inWorker)
    throw new ConfigurationError('This SDK uses a secret key and must not run in a browser: use the client SDK with a publishable key.');
}

/** Like `readBaseUrl`, but throws if it is not an http(s) URL. */
export function requireBaseUrl(given: unknown): string {
  const read = readBaseUrl(given);
  if (!read.ok) throw new ConfigurationError(read.fault);
  if (parseUrl(read.baseUrl) === null) throw new ConfigurationError('baseUrl is not a valid URL.');
  return read.baseUrl;
}
