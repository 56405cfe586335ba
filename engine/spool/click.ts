/**
 * Texts of a click that stand in memory of somebody else, ASCII alone: each from the byte of its start to that before its end. They are
 * good until `append` returns.
 */
export interface ClickTexts {
  readonly bytes: Uint8Array;
  readonly path_start: number;
  readonly path_end: number;
  readonly id_start: number;
  readonly id_end: number;
  readonly destination_start: number;
  readonly destination_end: number;
}

/**
 * A click as the redirect path hands it over: raw fields only. What has to be parsed (operating system, referrer host,
 * UTM, parameters, address) is parsed by the flusher. Objects of this type are made in one place and have one shape.
 */
export interface Click {
  occurred_at_ms: number;
  environment_number: number;
  /** Index into `CLICK_KINDS`: 0 link, 1 template; or `DEVICE_KIND`. */
  kind: number;
  /** Holds `subject_id`, `path` and `destination`, whose members are then not looked at; null where those hold them. */
  texts: ClickTexts | null;
  /** The link's or the template's id, as text: `lnk_...` or `tpl_...`; for `DEVICE_KIND` that of the click, `clk_...`. */
  subject_id: string;
  /** Template clicks only, else ''. */
  resource_type_id: string;
  /** The item as it appeared in the URL, decoded; '' for links. */
  item_id: string;
  host: string;
  path: string;
  /** With the version that a client hint named, where it did: `withPlatformVersion`. */
  user_agent: string;
  /** Platform named by the client hint `Sec-CH-UA-Platform` where it overrules the user agent: `ios`, `android`, else ''. */
  platform_hint: string;
  /** Why the click is a bot's, or '' for a person: `isbot`, `prefetch`. */
  bot_reason: string;
  referrer: string;
  /** Key of the campaign, or ''. */
  campaign: string;
  /** The effective UTM fields (link over campaign) as a query string without `?`, or ''. */
  utm: string;
  /** The short URL's raw query without `?` where the link passes parameters through, else ''. */
  query: string;
  /** The query was over the bound and was dropped whole. */
  params_dropped: boolean;
  /** The visitor has scanned a QR code. */
  qr: boolean;
  /** Where the visitor was sent; '' if nowhere. */
  destination: string;
  /** Country from the trusted header, or ''; with region and city behind it where that proxy named them: `withRegion`. */
  country: string;
  /** The client's address as text where a trusted proxy gave it, else ''. */
  address_text: string;
  /** The client's address as the socket gave it (4 or 16 bytes), else null. A click without either is of a visitor who opted out. */
  address_bytes: Uint8Array | null;
}

/**
 * Kind of a record that is not a click: what the page of a click has learnt of its device. `occurred_at_ms` is the time of that
 * click; `user_agent`, `platform_hint` and the address are those of the report, as a click of this moment would have them;
 * `item_id` is the model. All else is empty.
 */
export const DEVICE_KIND = 2;

/** Where clicks are stored. `append` does not wait for PostgreSQL and never throws if the disk is full. */
export interface ClickSink {
  /** Stores the click so that it survives the death of this process. False where the bound of the spool was reached and it was dropped and counted. */
  append(click: Click): boolean;
  /** The `clk_` id that the next appended click will have, for a destination that has to carry it. */
  nextId(occurredAtMs: number): string;
}

/** No header holds one, so that it ends the value of one and nothing else. */
const LINE_FEED = '\n';

/** The user agent as a click carries it, with the system's version of a client hint behind it: both repeat together, as one text. */
export function withPlatformVersion(userAgent: string, version: string): string {
  return version === '' ? userAgent : `${userAgent}${LINE_FEED}${version}`;
}

/** The parts of a click's user agent again. */
export function splitPlatformVersion(text: string): { readonly user_agent: string; readonly platform_version: string } {
  const at = text.indexOf(LINE_FEED);
  return at === -1 ? { user_agent: text, platform_version: '' } : { user_agent: text.slice(0, at), platform_version: text.slice(at + 1) };
}

/** The country as a click carries it, with what a proxy says of region and city behind it. Without a country neither counts. */
export function withRegion(country: string, region: string, city: string): string {
  return country === '' || (region === '' && city === '') ? country : `${country}${LINE_FEED}${region}${LINE_FEED}${city}`;
}

/** The parts of a click's country again, as the proxy wrote them. */
export function splitRegion(text: string): { readonly country: string; readonly region: string; readonly city: string } {
  const [country = '', region = '', city = ''] = text.split(LINE_FEED);
  return { country, region, city };
}
