import { ACCEPT_LANGUAGE_CHARACTERS_MAX, REFERRER_CHARACTERS_MAX, USER_AGENT_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { isPrefetch } from '../../shared/resolve/bots.js';
import {
  type PlatformHint,
  parsePlatformHint,
  parsePlatformVersion,
  UNKNOWN_VISITOR,
  type Visitor,
} from '../../shared/resolve/recognise-visitor.js';
import { PASSWORD_SCHEME } from '../pages/password-scheme.js';

/**
 * The method. `page_get`: a GET by the script of the password page. A script cannot read the target of a redirect, and the browser
 * does not follow one to another host for it. So the script always gets the location as JSON, whatever the state of the link is.
 */
export type Method = 'GET' | 'page_get' | 'HEAD' | 'other';

/**
 * What follows the head. `sized`: a body whose end is certain, by one well-formed `Content-Length`. `unclear`: two readers
 * could disagree on where the next request begins, after any `Transfer-Encoding` and every other `Content-Length`.
 */
export type Body = 'none' | 'sized' | 'unclear';

/**
 * The facts of a request on which decisions are based. A listener reuses one object for all requests. It contains only strings,
 * numbers and booleans, because the request no longer exists after the handler. A visit that has to wait keeps a copy.
 */
export interface Facts {
  method: Method;
  /** Path of the URL as it came, with its first slash. */
  path: string;
  /** Query as it came, without `?`. */
  query: string;
  /** The visitor has scanned a QR code; read from the query when a link is looked for, which then is without it. */
  qr: boolean;
  host: string;
  /** Whether there is more than one `Host`: different servers could choose different ones. */
  hosts: number;
  body: Body;
  content_lengths: number;
  user_agent: string;
  accept_language: string;
  referrer: string;
  platform_hint: PlatformHint;
  /** Version of the system as the client hint names it; '' if it was not sent. */
  platform_version: string;
  prefetch: boolean;
  /** Every `X-Forwarded-For`, joined in their order. */
  forwarded_for: string;
  /** Credentials, for links that ask for a password; '' if none were sent. */
  authorization: string;
  /** Value of the country header where one is set. */
  country: string;
  /** Values of the headers of region and city as they came, where those are set. */
  region: string;
  city: string;
  /** The visitor asks not to be recognised, by Global Privacy Control or by DNT, and that counts here. */
  opted_out: boolean;
  /** The verdict on the user agent; `UNKNOWN_VISITOR` until it has been asked for. */
  visitor: Visitor;
}

export function newFacts(): Facts {
  return {
    method: 'other',
    path: '',
    query: '',
    qr: false,
    host: '',
    hosts: 0,
    body: 'none',
    content_lengths: 0,
    user_agent: '',
    accept_language: '',
    referrer: '',
    platform_hint: '',
    platform_version: '',
    prefetch: false,
    forwarded_for: '',
    authorization: '',
    country: '',
    region: '',
    city: '',
    opted_out: false,
    visitor: UNKNOWN_VISITOR,
  };
}

/** The method by its name, whose case counts. */
export function methodOf(name: string): Method {
  return name === 'GET' || name === 'HEAD' ? name : 'other';
}

/** Begins a new request: nothing of the one before is left. */
export function beginFacts(facts: Facts, method: Method, path: string, query: string): void {
  facts.method = method;
  facts.path = path;
  facts.query = query;
  facts.qr = false;
  facts.host = '';
  facts.hosts = 0;
  facts.body = 'none';
  facts.content_lengths = 0;
  facts.user_agent = '';
  facts.accept_language = '';
  facts.referrer = '';
  facts.platform_hint = '';
  facts.platform_version = '';
  facts.prefetch = false;
  facts.forwarded_for = '';
  facts.authorization = '';
  facts.country = '';
  facts.region = '';
  facts.city = '';
  facts.opted_out = false;
  facts.visitor = UNKNOWN_VISITOR;
}

/** A copy that outlives the handler, of the same shape. */
export function copyFacts(facts: Facts): Facts {
  const copy = newFacts();
  beginFacts(copy, facts.method, facts.path, facts.query);
  copy.qr = facts.qr;
  copy.host = facts.host;
  copy.hosts = facts.hosts;
  copy.body = facts.body;
  copy.content_lengths = facts.content_lengths;
  copy.user_agent = facts.user_agent;
  copy.accept_language = facts.accept_language;
  copy.referrer = facts.referrer;
  copy.platform_hint = facts.platform_hint;
  copy.platform_version = facts.platform_version;
  copy.prefetch = facts.prefetch;
  copy.forwarded_for = facts.forwarded_for;
  copy.authorization = facts.authorization;
  copy.country = facts.country;
  copy.region = facts.region;
  copy.city = facts.city;
  copy.opted_out = facts.opted_out;
  copy.visitor = facts.visitor;
  return copy;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/]+)(.*)$/i;

/**
 * Takes host and path from a target that is an absolute URL: its host goes before the one that `Host` names (RFC 9112,
 * section 3.2.2). False for every other target. To be called after the headers.
 */
export function readAbsoluteForm(facts: Facts): boolean {
  const parts = ABSOLUTE_FORM.exec(facts.path);
  if (parts === null) return false;
  facts.host = parts[1] as string;
  facts.path = parts[2] === '' ? '/' : (parts[2] as string);
  return true;
}

/** Takes one header, its name in lower case. Every header is looked at: only so is a second `Host` or `Content-Length` seen. */
export type HeaderReader = (name: string, value: string) => void;

export interface HeaderOptions {
  /** Lower-case name of the header that names the visitor's country; '' if none is trusted. */
  readonly countryHeader: string;
  /** Those of the headers that name the region and the city; '' likewise. */
  readonly regionHeader: string;
  readonly cityHeader: string;
  /** Whether it counts that a visitor asks not to be recognised. */
  readonly honoursOptOut: boolean;
}

/** Only a host that is given regions or cities looks for them. */
export function headerReader(facts: Facts, options: HeaderOptions): HeaderReader {
  const { regionHeader, cityHeader } = options;
  const readHeader = commonReader(facts, options);
  if (regionHeader === '' && cityHeader === '') return readHeader;
  return (name, value) => {
    readHeader(name, value);
    if (name === regionHeader) facts.region = readPlaceName(value);
    if (name === cityHeader) facts.city = readPlaceName(value);
  };
}

/** The length is compared first: most headers end there. */
function commonReader(facts: Facts, { countryHeader, honoursOptOut }: HeaderOptions): HeaderReader {
  const countryHeaderLength = countryHeader.length;
  return (name, value) => {
    switch (name.length) {
      case 3:
        if (name === 'dnt') facts.opted_out ||= honoursOptOut && value === '1';
        break;
      case 4:
        if (name === 'host') readHost(facts, value);
        break;
      case 5:
        if (name === 'x-moz') facts.prefetch ||= isPrefetch(value);
        break;
      case 7:
        if (name === 'referer') facts.referrer = bounded(value, REFERRER_CHARACTERS_MAX);
        else if (name === 'purpose') facts.prefetch ||= isPrefetch(value);
        // https://w3c.github.io/gpc/: any other value is none.
        else if (name === 'sec-gpc') facts.opted_out ||= honoursOptOut && value === '1';
        break;
      case 10:
        if (name === 'user-agent') facts.user_agent = bounded(value, USER_AGENT_CHARACTERS_MAX);
        break;
      case 11:
        if (name === 'sec-purpose') facts.prefetch ||= isPrefetch(value);
        break;
      case 13:
        if (name === 'authorization') readAuthorization(facts, value);
        break;
      case 14:
        if (name === 'content-length') readContentLength(facts, value);
        break;
      case 15:
        if (name === 'x-forwarded-for') facts.forwarded_for = facts.forwarded_for === '' ? value : `${facts.forwarded_for},${value}`;
        else if (name === 'accept-language') readLanguages(facts, value);
        break;
      case 17:
        if (name === 'transfer-encoding') facts.body = 'unclear';
        break;
      case 18:
        if (name === 'sec-ch-ua-platform') facts.platform_hint = parsePlatformHint(value);
        break;
      case 26:
        if (name === 'sec-ch-ua-platform-version') facts.platform_version = parsePlatformVersion(value);
        break;
    }
    if (name.length === countryHeaderLength && name === countryHeader) facts.country = readCountry(value);
  };
}

function readHost(facts: Facts, value: string): void {
  facts.host = value;
  facts.hosts++;
}

const PAGE_SCHEME = new RegExp(`^${PASSWORD_SCHEME} `, 'i');

function readAuthorization(facts: Facts, value: string): void {
  facts.authorization = value;
  if (facts.method === 'GET' && PAGE_SCHEME.test(value)) facts.method = 'page_get';
}

/** A header that is a list may come in several lines (RFC 9110, section 5.2). */
function readLanguages(facts: Facts, value: string): void {
  const list = facts.accept_language === '' ? value : `${facts.accept_language},${value}`;
  facts.accept_language = bounded(list, ACCEPT_LANGUAGE_CHARACTERS_MAX);
}

/** Lengths that every reader takes for the same number: beyond it numbers of JavaScript are no longer exact. */
const CONTENT_LENGTH = /^\d{1,15}$/;

function readContentLength(facts: Facts, value: string): void {
  facts.content_lengths++;
  if (facts.content_lengths > 1 || !CONTENT_LENGTH.test(value)) facts.body = 'unclear';
  else if (facts.body === 'none' && Number(value) > 0) facts.body = 'sized';
}

/** A part of a string keeps the whole alive in V8; what is kept by the verdict cache must be a text of its own. */
function bounded(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : Buffer.from(text.slice(0, charactersMax)).toString();
}

/** Longer values name no place: a city of 100 characters fits in, percent-encoded in most scripts. */
const PLACE_NAME_CHARACTERS_MAX = 512;

function readPlaceName(value: string): string {
  return value.length <= PLACE_NAME_CHARACTERS_MAX ? value : '';
}

/** ISO 3166-1 alpha-2; proxies write `XX` and `T1` where they do not know. */
function readCountry(value: string): string {
  return /^[A-Za-z]{2}$/.test(value) && value !== 'XX' ? value.toUpperCase() : '';
}
