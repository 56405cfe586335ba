import { percentDecoded } from '../../../shared/resolve/query.js';
import { readCountryCode } from '../../countries/country-code.js';
import { CITY_CHARACTERS_MAX, type Place } from '../../countries/country-database.js';

/**
 * Returns where a visitor was according to the headers of a proxy; '' for what they do not contain, or not in a known format.
 * The country is ISO 3166-1 alpha-2.
 */
export function placeOfHeaders({ country, region, city }: Place): Place {
  const code = readCountryCode(country);
  if (code === '') return { country: '', region: '', city: '' };
  return { country: code, region: regionOf(code, region.toUpperCase()), city: cityOf(city) };
}

/** ISO 3166-2 of the country. Some proxies send only the part after the country, such as `BE`. */
function regionOf(country: string, region: string): string {
  if (/^[A-Z0-9]{1,3}$/.test(region)) return `${country}-${region}`;
  return /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(region) && region.startsWith(country) ? region : '';
}

/** Cloudflare sends names in UTF-8, which the listener has already decoded; CloudFront percent-encodes them. */
function cityOf(header: string): string {
  const name = percentDecoded(header).trim();
  return /[\p{Cc}\uFFFD]/u.test(name) ? '' : [...name].slice(0, CITY_CHARACTERS_MAX).join('');
}
