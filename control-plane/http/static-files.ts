import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * A file of a built page. Files are read once at the start. So a request does not read the disk, the path of a request never becomes
 * the path of a file, and a page that is open while the files are built again still finds the parts with which it was loaded.
 */
export interface StaticFile {
  /** Path relative to the page's own path: `index.html`, `assets/main-4f3a.js`. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** The content by encoding; the uncompressed form always exists. */
  readonly forms: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS | 'identity';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/** Names below this folder hold a hash of the content, so that it never changes under one name. */
const HASHED_FOLDER = 'assets/';

/** Reads every file of the folder that has a known type; none if there is no folder. */
export function readStaticFiles(folder: string): readonly StaticFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => readStaticFile(folder, join(entry.parentPath, entry.name)));
}

function readStaticFile(folder: string, file: string): StaticFile {
  const compressed = Object.entries(ENCODINGS).flatMap(([encoding, suffix]) =>
    existsSync(file + suffix) ? [[encoding, readFileSync(file + suffix)] as const] : [],
  );
  return describe(relative(folder, file).split(sep).join('/'), readFileSync(file), Object.fromEntries(compressed));
}

/** Makes a file at the start. Gzip takes milliseconds; brotli at the level of a build would take seconds. */
export function staticFileOf(name: string, identity: Buffer): StaticFile {
  return describe(name, identity, { gzip: gzipSync(identity) });
}

function describe(name: string, identity: Buffer, compressed: Omit<StaticFile['forms'], 'identity'>): StaticFile {
  return {
    name,
    headers: {
      'content-type': TYPES[extname(name)] as string,
      'cache-control': name.startsWith(HASHED_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
    },
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    forms: { identity, ...compressed },
  };
}

export interface StaticAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | '';
}

/** Returns the file in the smallest form that the client accepts; 304 if the client has that form already. */
export function answerStaticFile(file: StaticFile, acceptEncoding: string | undefined, ifNoneMatch: string | undefined): StaticAnswer {
  const encoding = (['br', 'gzip'] as const).find((each) => file.forms[each] !== undefined && accepts(acceptEncoding, each)) ?? 'identity';
  // Each form is a separate representation with its own tag (RFC 9110, section 8.8.3).
  const etag = `"${file.etag}-${encoding}"`;
  const headers = { ...file.headers, etag };
  if (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return { status: 304, headers, body: '' };
  return {
    status: 200,
    headers: encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding },
    body: file.forms[encoding] as Buffer,
  };
}

/** Whether an encoding is accepted (RFC 9110, section 12.5.3): named with a weight above 0, or covered by `*` and not named. */
export function accepts(acceptEncoding: string | undefined, encoding: string): boolean {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [name, Number(weight)] as const;
    }),
  );
  return (weights.get(encoding) ?? weights.get('*') ?? 0) > 0;
}
