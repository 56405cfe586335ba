/**
 * Texts of a click in memory that belongs to the caller, ASCII only. Each `_start` is inclusive, each `_end` exclusive. They
 * are valid until `append` returns.
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
 * A click as the redirect path hands it over: raw fields only. The flusher parses what has to be parsed (operating system,
 * referrer host, UTM, parameters, address). Objects of this type are created in one place and have one shape.
 */
export interface Click {
  occurred_at_ms: number;
  environment_number: number;
  /** Index into `CLICK_KINDS`: 0 link, 1 template; or `DEVICE_KIND`. */
  kind: number;
  /** Contains `subject_id`, `path` and `destination`, whose members are then ignored; null if the members contain them. */
  texts: ClickTexts | null;
  /** The link's or the template's id, as text: `lnk_...` or `tpl_...`. For `DEVICE_KIND` the click's id, `clk_...`. */
  subject_id: string;
  /** For template clicks only, else ''. */
  resource_type_id: string;
  /** The item as it appeared in the URL, decoded; '' for links. */
  item_id: string;
  host: string;
  path: string;
  /** With the version from a client hint appended, if one was sent: `withPlatformVersion`. */
  user_agent: string;
  /** Platform from the client hint `Sec-CH-UA-Platform` if it overrides the user agent: `ios`, `android`, else ''. */
  platform_hint: string;
  /** Why the click is considered a bot's: `isbot` or `prefetch`; '' for a person. */
  bot_reason: string;
  referrer: string;
  /** Key of the campaign, or ''. */
  campaign: string;
  /** The effective UTM fields (link over campaign) as a query string without `?`, or ''. */
  utm: string;
  /** The short URL's raw query without `?` if the link passes parameters through, else ''. */
  query: string;
  /** Whether the query exceeded the limit and was dropped entirely. */
  params_dropped: boolean;
  /** Whether the visitor has scanned a QR code. */
  qr: boolean;
  /** Where the visitor was sent; '' if nowhere. */
  destination: string;
  /** Country from the trusted header, or ''; with region and city appended if the proxy sent them: `withRegion`. */
  country: string;
  /** The client's address as text if a trusted proxy sent it, else ''. */
  address_text: string;
  /** The client's address as the socket reported it (4 or 16 bytes), else null. A click with neither comes from a visitor who opted out. */
  address_bytes: Uint8Array | null;
}

/**
 * Kind of a record that is not a click: what the page of a click has learnt about its device. `occurred_at_ms` is the time of
 * that click. `user_agent`, `platform_hint` and the address are those of the report, encoded as for a click made at the time of
 * the report. `item_id` is the model. All other fields are empty.
 */
export const DEVICE_KIND = 2;

/** Where clicks are stored. `append` does not wait for PostgreSQL and never throws if the disk is full. */
export interface ClickSink {
  /** Stores the click so that it survives the death of this process. Returns false if it was dropped and counted instead. */
  append(click: Click): boolean;
  /** The `clk_` id that the next appended click will have, for a destination that has to carry it. */
  nextId(occurredAtMs: number): string;
}

/** No header can contain a line feed, so it can separate header values unambiguously. */
const LINE_FEED = '\n';

/** Appends the system's version from a client hint to the user agent. Both repeat together, so a click stores them as one text. */
export function withPlatformVersion(userAgent: string, version: string): string {
  return version === '' ? userAgent : `${userAgent}${LINE_FEED}${version}`;
}

/** Splits a click's user agent into its parts again. */
export function splitPlatformVersion(text: string): { readonly user_agent: string; readonly platform_version: string } {
  const at = text.indexOf(LINE_FEED);
  return at === -1 ? { user_agent: text, platform_version: '' } : { user_agent: text.slice(0, at), platform_version: text.slice(at + 1) };
}

/** Appends the proxy's region and city to the country. Without a country, neither is kept. */
export function withRegion(country: string, region: string, city: string): string {
  return country === '' || (region === '' && city === '') ? country : `${country}${LINE_FEED}${region}${LINE_FEED}${city}`;
}

/** Splits a click's country into its parts again, as the proxy wrote them. */
export function splitRegion(text: string): { readonly country: string; readonly region: string; readonly city: string } {
  const [country = '', region = '', city = ''] = text.split(LINE_FEED);
  return { country, region, city };
}
