import { ACCEPT_LANGUAGE_CHARACTERS_MAX, REFERRER_CHARACTERS_MAX, USER_AGENT_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { isPrefetch } from '../../shared/resolve/bots.js';
import {
  type PlatformHint,
  parsePlatformHint,
  parsePlatformVersion,
  UNKNOWN_VISITOR,
  type Visitor,
} from '../../shared/resolve/recognise-visitor.js';
import { readCountryCode } from '../countries/country-code.js';
import { PASSWORD_SCHEME } from '../pages/password-scheme.js';

/**
 * The method. `page_get`: a GET by the script of the password page. A script cannot read the target of a redirect, and the browser
 * does not follow one to another host for it. So the script always gets the location as JSON, whatever the state of the link is.
 */
export type Method = 'GET' | 'page_get' | 'HEAD' | 'other';

/**
 * What follows the head. `sized`: a body whose end is certain, because there is one well-formed `Content-Length`. `unclear`: two
 * readers could disagree on where the next request begins, as after any `Transfer-Encoding` and any other `Content-Length`.
 */
export type Body = 'none' | 'sized' | 'unclear';

/**
 * The facts of a request on which decisions are based. A listener reuses one object for all requests. It contains only strings,
 * numbers and booleans, because the request no longer exists after the handler. A visit that has to wait keeps a copy.
 */
export interface Facts {
  method: Method;
  /** Path of the URL as received, with its leading slash. */
  path: string;
  /** Query as received, without `?`. */
  query: string;
  /** Whether the visitor scanned a QR code. `readQrMark` sets it and removes the mark from the query. */
  qr: boolean;
  host: string;
  /** The number of `Host` headers. If there is more than one, different servers could choose different ones. */
  hosts: number;
  body: Body;
  content_lengths: number;
  user_agent: string;
  accept_language: string;
  referrer: string;
  platform_hint: PlatformHint;
  /** Version of the operating system from the client hint; '' if none was sent. */
  platform_version: string;
  prefetch: boolean;
  /** All `X-Forwarded-For` headers, joined in their order. */
  forwarded_for: string;
  /** Credentials, for links that ask for a password; '' if none were sent. */
  authorization: string;
  /** Country from the country header; '' if no such header is configured or the country is unknown. */
  country: string;
  /** Values of the region and city headers as received; '' if no such headers are configured. */
  region: string;
  city: string;
  /** Whether the visitor asks not to be recognised, by Global Privacy Control or DNT, and the host honours that. */
  opted_out: boolean;
  /** The verdict on the user agent; `UNKNOWN_VISITOR` until it has been looked up. */
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

/** Returns the method of that name. Names are case-sensitive. */
export function methodOf(name: string): Method {
  return name === 'GET' || name === 'HEAD' ? name : 'other';
}

/** Begins a new request and clears everything from the previous one. */
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

/** Returns a copy of the same shape that outlives the handler. */
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
 * Takes host and path from a target that is an absolute URL. Its host takes precedence over the one in `Host` (RFC 9112, section
 * 3.2.2). Returns false for any other target. Must be called after the headers have been read.
 */
export function readAbsoluteForm(facts: Facts): boolean {
  const parts = ABSOLUTE_FORM.exec(facts.path);
  if (parts === null) return false;
  facts.host = parts[1] as string;
  facts.path = parts[2] === '' ? '/' : (parts[2] as string);
  return true;
}

/** Reads one header; its name is in lower case. Must be called for every header, or else a second `Host` or `Content-Length` is missed. */
export type HeaderReader = (name: string, value: string) => void;

export interface HeaderOptions {
  /** Lower-case name of the header that names the visitor's country; '' if none is trusted. */
  readonly countryHeader: string;
  /** The same for the region and the city. */
  readonly regionHeader: string;
  readonly cityHeader: string;
  /** Whether to honour that a visitor asks not to be recognised. */
  readonly honoursOptOut: boolean;
}

/** Returns a reader that looks for regions and cities only if their headers are configured. */
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

/** Compares the length first, which is enough for most headers. */
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
        // Any other value does not count (https://w3c.github.io/gpc/).
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
    if (name.length === countryHeaderLength && name === countryHeader) facts.country = readCountryCode(value);
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

/** Lengths that every reader parses as the same number. Larger numbers are not always exact in JavaScript. */
const CONTENT_LENGTH = /^\d{1,15}$/;

function readContentLength(facts: Facts, value: string): void {
  facts.content_lengths++;
  if (facts.content_lengths > 1 || !CONTENT_LENGTH.test(value)) facts.body = 'unclear';
  else if (facts.body === 'none' && Number(value) > 0) facts.body = 'sized';
}

/** Shortens the text. The result is a copy, because a slice keeps the whole text alive in V8, and the verdict cache keeps the result. */
function bounded(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : Buffer.from(text.slice(0, charactersMax)).toString();
}

/** Longer values are not names of places. A city of 100 characters fits, percent-encoded, in most scripts. */
const PLACE_NAME_CHARACTERS_MAX = 512;

function readPlaceName(value: string): string {
  return value.length <= PLACE_NAME_CHARACTERS_MAX ? value : '';
}
