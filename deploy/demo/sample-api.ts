import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The smallest possible metadata API of a shop. The demo calls it in place of a customer's. */
export interface SampleApi {
  readonly port: number;
  /** `http://127.0.0.1:40123` */
  readonly origin: string;
  stop(): Promise<void>;
}

/** An item as the shop knows it. Its fields have names that a shop would use, so that there is something to map. */
interface Shoe {
  readonly name: string;
  readonly summary: string;
  readonly page: string;
  readonly state: 'on_sale' | 'sold_out';
}

const SHOES: Readonly<Record<string, Shoe>> = {
  '1': shoe('Trail runner', 'Light, grippy, and dry in the rain.', 'on_sale'),
  '2': shoe('City sneaker', 'For ten thousand steps a day.', 'on_sale'),
  '3': shoe('Dancing shoe', 'The last pair was sold yesterday.', 'sold_out'),
};

function shoe(name: string, summary: string, state: Shoe['state']): Shoe {
  const page = `https://example.com/shoes/${name.toLowerCase().replaceAll(' ', '-')}`;
  return { name, summary, page, state };
}

/** The resource type of shoes, as a customer would create it. */
export const SHOE_TYPE = { key: 'demo_shoe', name: 'Shoes of the demo' };

export const SHOE_TEMPLATE = {
  pathPattern: '/demo/shoes/{id}',
  idFormat: { kind: 'preset', preset: 'numeric' },
  deepLinkPath: '/shoes/{id}',
  redirects: { web: 'https://example.com/shoes/{id}' },
} as const;

/** The configuration for the API at the origin. */
export function shoeApi(origin: string) {
  return {
    urlTemplate: `${origin}/shoes/{id}`,
    fieldMapping: { title: 'shoe.name', description: 'shoe.summary', canonicalUrl: 'shoe.page', resourceStatus: 'shoe.state' },
    requiredFields: ['title' as const],
    statusValues: { published: ['on_sale'], unpublished: ['sold_out'], deleted: [] },
  };
}

export interface SampleApiPorts {
  /** Used if it is free, so that an earlier configuration still leads here; 0 for none. */
  readonly wanted: number;
  /** Not used even if they are free, because other processes are about to listen there. */
  readonly avoided: readonly number[];
}

/** Listens only on loopback. */
export async function startSampleApi({ wanted, avoided }: SampleApiPorts): Promise<SampleApi> {
  const server = (wanted === 0 ? null : await listenOn(wanted, avoided)) ?? (await listenOnAny(avoided));
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

async function listenOnAny(avoided: readonly number[]): Promise<Server> {
  for (let attempt = 0; attempt <= avoided.length; attempt++) {
    const server = await listenOn(0, avoided);
    if (server !== null) return server;
  }
  throw new Error('the sample API finds no free port');
}

/** Null if the port is taken or to be avoided. */
async function listenOn(port: number, avoided: readonly number[]): Promise<Server | null> {
  const server = createServer(answerShoes);
  const listens = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!listens) return null;
  if (!avoided.includes((server.address() as AddressInfo).port)) return server;
  await close(server);
  return null;
}

/** Closes the server and all its connections. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** `GET /shoes/{id}`. */
export const answerShoes: RequestListener = (request, response) => {
  const id = /^\/shoes\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? '';
  const found = Object.hasOwn(SHOES, id) ? SHOES[id] : undefined;
  const body = JSON.stringify(found === undefined ? { error: 'there is no such shoe' } : { shoe: found });
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body);
};
