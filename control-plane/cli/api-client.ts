import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withDeadline } from '../../shared/base/with-deadline.js';
import { CommandError, EXIT_FAILED, EXIT_NOT_FOUND, EXIT_UNAVAILABLE, EXIT_USAGE } from './command-error.js';
import { httpUrl } from './http-url.js';
import { isSendableKey } from './sendable-key.js';

/** Defaults for the server to call and the key to use, from the environment or the local start. */
export interface ApiDefaults {
  /** LINKD_API_KEY and LINKD_BASE_URL; empty if not set. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** DATA_DIR. */
  readonly dataDir: string;
}

export interface ApiOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly live?: true;
}

export function withApiOptions(command: Command): Command {
  return command
    .option('--api-key <key>', 'secret key with the scope webhooks:write (default: LINKD_API_KEY, or else the key of the local start)')
    .option('--base-url <url>', 'address of the API (default: LINKD_BASE_URL, or else that of the local start)')
    .option('--live', "use the local start's key of the live environment instead of test");
}

export const API_HELP = `
This command needs no database, because it uses the REST API. Next to a running "npm start" it needs no key either, because it
reads DATA_DIR/credentials.json. Elsewhere: export LINKD_API_KEY=sk_test_... LINKD_BASE_URL=https://links.example.com/v1`;

/** Throws `CommandError` if there is no key or no address. */
export function connectApi(options: ApiOptions, defaults: ApiDefaults, interrupted: AbortSignal): ApiClient {
  const file = join(defaults.dataDir, 'credentials.json');
  const local = readCredentials(file);
  const key = options.apiKey ?? (options.live === true ? local?.live : defaults.apiKey || local?.test);
  const baseUrl = options.baseUrl ?? (defaults.baseUrl || local?.base_url);
  if (key === undefined || key === '')
    throw new CommandError(
      options.live === true
        ? `--live uses the key in ${file}, which "npm start" writes: start the service, or pass a key of the live environment with --api-key`
        : `no API key was found: pass --api-key, set LINKD_API_KEY, or start the service so that ${file} exists`,
      EXIT_USAGE,
    );
  if (!isSendableKey(key))
    throw new CommandError('the API key contains a character that no key has: check --api-key or LINKD_API_KEY', EXIT_USAGE);
  if (baseUrl === undefined || baseUrl === '')
    throw new CommandError(
      `no API address was found: pass --base-url, set LINKD_BASE_URL, or start the service so that ${file} exists`,
      EXIT_USAGE,
    );
  if (httpUrl(baseUrl) === null)
    throw new CommandError(
      `${baseUrl} is not the address of an API: pass a URL that begins with http:// or https:// and has no password`,
      EXIT_USAGE,
    );
  return new ApiClient(baseUrl.replace(/\/+$/, ''), key, interrupted);
}

interface LocalCredentials {
  readonly base_url: string | undefined;
  readonly test: string | undefined;
  readonly live: string | undefined;
}

/** Returns the credentials that the local start has written; null if there are none that can be read. */
function readCredentials(file: string): LocalCredentials | null {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
  const { base_url, test, live } = (value ?? {}) as {
    base_url?: unknown;
    test?: { secret_key?: unknown };
    live?: { secret_key?: unknown };
  };
  const textOf = (member: unknown) => (typeof member === 'string' ? member : undefined);
  return { base_url: textOf(base_url), test: textOf(test?.secret_key), live: textOf(live?.secret_key) };
}

/** The server cannot be reached, is busy or is shutting down. Commands that follow something retry. */
export class ApiUnavailableError extends CommandError {
  constructor(message: string) {
    super(message, EXIT_UNAVAILABLE);
  }
}

export interface ApiAnswer<Body> {
  readonly body: Body;
  /** The server's clock, to the second. */
  readonly serverTimeMs: number;
}

const ANSWER_MS_MAX = 15_000;

/** Calls a server's REST API. Throws a `CommandError` of one line if a call does not succeed. */
export class ApiClient {
  readonly baseUrl: string;
  readonly key: string;
  readonly interrupted: AbortSignal;

  constructor(baseUrl: string, key: string, interrupted: AbortSignal) {
    this.baseUrl = baseUrl;
    this.key = key;
    this.interrupted = interrupted;
  }

  get<Body>(path: string): Promise<ApiAnswer<Body>> {
    return this.#call('GET', path);
  }

  post<Body>(path: string, body: unknown): Promise<ApiAnswer<Body>> {
    return this.#call('POST', path, body);
  }

  async #call<Body>(method: string, path: string, body?: unknown): Promise<ApiAnswer<Body>> {
    let response: Response;
    let text: string;
    try {
      [response, text] = await withDeadline(ANSWER_MS_MAX, this.interrupted, async (signal) => {
        const answer = await fetch(this.baseUrl + path, {
          method,
          // Not followed, because the key would go to another host. With 'error', the fetch of Node.js 20 forgets the signal while the body comes.
          redirect: 'manual',
          headers: { authorization: `Bearer ${this.key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal,
        });
        return [answer, await answer.text()];
      });
    } catch (error) {
      this.interrupted.throwIfAborted();
      throw new ApiUnavailableError(`${this.baseUrl} cannot be reached: ${reasonOf(error)}`);
    }
    const location = response.status < 400 ? response.headers.get('location') : null;
    if (!response.ok && location !== null)
      throw new CommandError(`${this.baseUrl} redirects to ${location}; pass the address of the API itself`);
    const value = parsed(text);
    if (!response.ok) throw refusal(method, path, response.status, value);
    if (value === undefined) throw new CommandError(`${this.baseUrl} does not return JSON; check that it is the address of the API`);
    return { body: value as Body, serverTimeMs: Date.parse(response.headers.get('date') ?? '') || Date.now() };
  }
}

/** Returns undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch throws a TypeError whose cause is the actual error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
}

function refusal(method: string, path: string, status: number, value: unknown): CommandError {
  const { code, detail, errors } = (value ?? {}) as { code?: string; detail?: string; errors?: { pointer: string; detail: string }[] };
  const fields = (errors ?? []).map((error) => ` ${error.pointer} ${error.detail}`).join(';');
  const message = `${method} ${path.split('?')[0]} returned ${status}${code === undefined ? '' : ` ${code}: ${detail}`}${fields}`;
  if (status === 429 || status >= 500) return new ApiUnavailableError(message);
  return new CommandError(message, status === 404 ? EXIT_NOT_FOUND : EXIT_FAILED);
}
