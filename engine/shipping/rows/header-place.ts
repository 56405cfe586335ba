import { percentDecoded } from '../../../shared/resolve/query.js';
import { CITY_CHARACTERS_MAX, type Place } from '../../countries/country-database.js';

/**
 * What the headers of a proxy say of where a visitor was; '' for what they do not say, or in no form that is known. The country is ISO
 * 3166-1 alpha-2; `XX` is what proxies send for unknown.
 */
export function placeOfHeaders({ country, region, city }: Place): Place {
  const code = country.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code) || code === 'XX') return { country: '', region: '', city: '' };
  return { country: code, region: regionOf(code, region.toUpperCase()), city: cityOf(city) };
}

/** ISO 3166-2 of the country. Some proxies send the part behind the country alone, such as `BE`. */
function regionOf(country: string, region: string): string {
  if (/^[A-Z0-9]{1,3}$/.test(region)) return `${country}-${region}`;
  return /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(region) && region.startsWith(country) ? region : '';
}

/** Cloudflare sends names in UTF-8, which a listener has decoded; CloudFront percent-encodes them. */
function cityOf(header: string): string {
  const name = percentDecoded(header).trim();
  return /[\p{Cc}\uFFFD]/u.test(name) ? '' : [...name].slice(0, CITY_CHARACTERS_MAX).join('');
}
