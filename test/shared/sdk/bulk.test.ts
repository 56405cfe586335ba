import t from 'tap';
import { BulkError, createLinks } from '../../../shared/sdk/bulk.js';
import type { ApiRequest, Transport } from '../../../shared/sdk/http.js';
import type { LinkCreate } from '../../../shared/sdk/operations.js';

/** A service that creates every link that it is sent. */
const transport = {
  async send({ body }: ApiRequest) {
    const { links } = body as { readonly links: readonly LinkCreate[] };
    return { results: links.map((link, index) => ({ index, status: 201, link })), created: links.length, failed: 0 };
  },
} as unknown as Transport;

const CAUSE = new Error('the connection to the database was lost');

async function* broken(): AsyncGenerator<LinkCreate> {
  for (const path of ['a', 'b', 'c']) yield { path };
  throw CAUSE;
}

const LINKS = ['a', 'b', 'c'].map((path) => ({ path }));

t.test('whatever ends a call, the error has the results of the links that were created before', async (t) => {
  const ended = (links: Iterable<LinkCreate> | AsyncIterable<LinkCreate>, onProgress = () => {}) =>
    createLinks(transport, links, { chunkSize: 2, onProgress }).catch((error: unknown) => error);
  const throwing = () => {
    throw CAUSE;
  };
  const calls = {
    'the source fails': [await ended(broken()), CAUSE],
    'a link cannot be written as JSON': [await ended([...LINKS, { data: { count: 1n } }]), TypeError],
    'a link is missing': [await ended([...LINKS, undefined as unknown as LinkCreate]), TypeError],
    'the listener fails': [await ended(LINKS, throwing), CAUSE],
  } as const;
  for (const [name, [error, cause]] of Object.entries(calls)) {
    t.ok(error instanceof BulkError, name);
    const { done, cause: found } = error as BulkError;
    t.match(done, { created: 2, failed: 0, results: [{ index: 0 }, { index: 1 }] }, name);
    t.ok(cause === CAUSE ? found === CAUSE : found instanceof TypeError, name);
  }
});

t.test('a chunk size that is no number of links is refused before anything is sent', async (t) => {
  for (const chunkSize of [Number.NaN, 0, -1, 'ten' as unknown as number])
    await t.rejects(createLinks(transport, LINKS, { chunkSize }), { name: 'ConfigurationError', message: /^chunkSize must be/ });
  t.match(await createLinks(transport, LINKS, { chunkSize: 5000 }), { created: 3 });
});
