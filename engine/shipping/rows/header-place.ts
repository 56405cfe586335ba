import { CITY_CHARACTERS_MAX, type Place } from '../../countries/country-database.js';

/**
 * What the headers of a proxy say of where a visitor was; '' for what they do not say, or in no form that is known. The country is ISO
 * 3166-1 alpha-2; `XX` is what proxies send for unknown.
 */
export function placeOfHeaders(country: string, region: string, city: string): Place {
  const code = country.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code) || code === 'XX') return { country: '', region: '', city: '' };
  return { country: code, region: regionOf(code, region.toUpperCase()), city: cityOf(city) };
}

/** ISO 3166-2 of the country. Some proxies send the part behind the country alone, such as `BE`. */
function regionOf(country: string, region: string): string {
  if (/^[A-Z0-9]{1,3}$/.test(region)) return `${country}-${region}`;
  return /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(region) && region.startsWith(country) ? region : '';
}

/** Cloudflare sends names in UTF-8, CloudFront percent-encodes them. */
function cityOf(header: string): string {
  const name = percentDecoded(utf8Of(header)).trim();
  return /[\p{Cc}\uFFFD]/u.test(name) ? '' : [...name].slice(0, CITY_CHARACTERS_MAX).join('');
}

/** node:http reads each byte of a header as a character, uWebSockets.js reads UTF-8. */
function utf8Of(header: string): string {
  if (!/[\x80-\xFF]/.test(header) || /[^\0-\xFF]/.test(header)) return header;
  const read = Buffer.from(header, 'latin1').toString();
  return read.includes('\uFFFD') ? header : read;
}

function percentDecoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it is a name with a percent sign
  }
}
