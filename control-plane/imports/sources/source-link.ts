import type { LinkCreate } from '../../../shared/contract/schemas/link.js';

/** A row by the names of its columns, in lower case. */
export type CsvRow = Readonly<Record<string, string>>;

/** An address of a link in the service that it comes from. */
export interface SourceAddress {
  /** Null if the source does not say. */
  readonly host: string | null;
  /** Without the first slash. */
  readonly path: string;
}

/** Clicks that a link had before the import. */
export interface SourceClicks {
  /** The service that counted them, if it is not the one that is imported from. */
  readonly source?: string;
  /** `2026-11-20`; null if the service does not report days. */
  readonly day: string | null;
  readonly clicks: number;
}

/** A link of another service, in the terms of this one. */
export interface SourceLink {
  /** What the source calls it: `bit.ly/abc`. */
  readonly id: string;
  /** The number of its row in the file, from 1, without the header and empty rows; absent if it was not read from a file. */
  readonly row?: number;
  /** Every address that leads to the link, beginning with the one that it is shown with. */
  readonly addresses: readonly SourceAddress[];
  readonly fields: Omit<LinkCreate, 'path' | 'aliases' | 'domain'>;
  /** Present if the source says how often the link was clicked on. */
  readonly clicks?: readonly SourceClicks[];
  /** Present if the link is switched off. */
  readonly disabled?: true;
  /** Names of what the source says of the link and what cannot be stored here. */
  readonly lost: readonly string[];
  /** Why the row says too little to be a link; absent if it says enough. */
  readonly fault?: string;
}

/** Where a source is read from. */
export interface SourceInput {
  readonly file: string | null;
  readonly apiKey: string | null;
  /** Address of the API; null for the service's own. */
  readonly baseUrl: string | null;
  readonly interrupted: AbortSignal;
  /** Ids of links that are not needed: a source that requests links one by one can skip them. */
  readonly done: ReadonlySet<string>;
  readonly onWait: OnWait;
  /** Called with what the operator has to know of what is read, as a sentence. */
  readonly onNote?: (note: string) => void;
  /** Called with how much of the file was read. A service does not say how many links are still to come. */
  readonly onRead: OnRead;
}

/** Called with how much was read, and out of how much, in bytes or lines. */
export type OnRead = (read: number, of: number) => void;

/** Called with the reason for waiting for a service, as a sentence that begins with its host, and with the wait in milliseconds. */
export type OnWait = (reason: string, ms: number) => void;

export interface ImportSource {
  readonly title: string;
  /**
   * Where the links come from. `file`: a file. `api`: the API. `either`: the API if a key is given, else a file. `file_and_api`: the API, which
   * is asked for each URL of a file.
   */
  readonly reads: 'file' | 'api' | 'either' | 'file_and_api';
  /** Whether keys that differ in case only are one link there, unless the customer has it otherwise. */
  readonly keysIgnoreCase?: true;
  /** Whether the API has no address of its own, because people run it themselves. */
  readonly selfHosted?: true;
  read(input: SourceInput): AsyncIterable<SourceLink>;
  /** The link for a row of its file, by the names of columns in lower case. Present if its files are read row by row. */
  readonly ofRow?: (row: CsvRow, number: number) => SourceLink;
}

/**
 * Host and path of a short URL, with or without a scheme. A text with neither a slash nor a dot is only a path, on the source's `ownHost`.
 */
export function addressOf(url: string, ownHost: string | null = null): SourceAddress {
  const text = url.trim().replace(/[?#].*$/, '');
  const address = text.replace(/^https?:\/\//i, '');
  if (address === text && !/[/.]/.test(address)) return { host: ownHost, path: address };
  const [host = '', ...path] = address.split('/');
  return { host: host.toLowerCase(), path: path.join('/') };
}

/** The address of a path, which may be written with a slash in front, or as the whole short URL. */
export function pathAddress(path: string, domain: string | null): SourceAddress {
  const address = /^https?:\/\//i.test(path) ? addressOf(path) : { host: null, path: path.replace(/^\//, '') };
  return { ...address, host: domain ?? address.host };
}

/**
 * The link of a source with case-sensitive keys, without the address in lower case that the source puts first because it assumes that keys
 * ignore case. Two keys of such a source may differ only in case.
 */
export function caseKept(link: SourceLink): SourceLink {
  const [first, second] = link.addresses;
  if (first === undefined || second === undefined || first.path !== second.path.toLowerCase() || first.host !== second.host) return link;
  return { ...link, addresses: link.addresses.slice(1) };
}

/**
 * The link without those of its addresses that have no path, because nothing here can answer for them. A link without any other address
 * could not be found again, so it gets a `fault`.
 */
export function withPaths(link: SourceLink): SourceLink {
  const addresses = link.addresses.filter(({ path }) => path !== '');
  if (addresses.length === link.addresses.length) return link;
  if (addresses.length === 0) return { ...link, fault: link.fault ?? `${link.addresses[0]?.host ?? 'its address'} has no path` };
  return { ...link, addresses, lost: [...new Set([...link.lost, 'aliases'])] };
}

/** A link without an address if one of the members is not text, as the service documents them; null if all are. */
export function undescribed(members: Readonly<Record<string, unknown>>): SourceLink | null {
  const wrong = Object.keys(members).find((name) => typeof members[name] !== 'string');
  return wrong === undefined ? null : withoutAddress(`the service returns a link without "${wrong}"`);
}

/** The link for a row that cannot be read, or that names no address, for example in a file of another kind. */
export function withoutAddress(fault: string, id = ''): SourceLink {
  return { id, addresses: [], fields: {}, lost: [], fault };
}

/** The link with the number of its row. A row that does not say what its link is called is called by its number. */
export function numbered(link: SourceLink, row: number): SourceLink {
  return { ...link, row, ...(link.id === '' ? { id: `number ${row}` } : {}) };
}

/** The members that have a value: not null, undefined or ''. */
export function said<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  // Not from entries, because an import of a million links creates several of these for each.
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== null && value !== undefined && value !== '') kept[name] = value;
  }
  return kept as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
