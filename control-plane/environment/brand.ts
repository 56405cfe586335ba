import { BRAND_LOGO_BYTES_MAX, BRAND_LOGO_PIXELS_MAX } from '../../shared/base/brand-limits.js';
import { isObject } from '../../shared/base/issue.js';
import type { EnvironmentPatch } from '../../shared/contract/schemas/environment.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { BrandRecord } from '../../shared/records/records.js';
import { storedDestination } from '../../shared/resolve/stored-destination.js';
import type { PlacedDestination } from '../blocklist/check.js';
import { fieldError } from '../http/problems.js';
import { DAMAGED, logoFault, logoFile, readLogo } from '../qr/logo.js';

/** A brand as it is stored: only the members that are set. */
export type StoredBrand = Partial<BrandRecord>;

const LOGO_LIMITS = { bytes: BRAND_LOGO_BYTES_MAX, pixels: BRAND_LOGO_PIXELS_MAX };

/** Checks what the schema of a brand cannot express. Looks only at values of the right type. */
export function brandErrors(value: unknown): readonly FieldError[] {
  if (!isObject(value)) return [];
  const errors: FieldError[] = [];
  const fault = typeof value.logo === 'string' ? storedLogo(value.logo).fault : null;
  if (fault !== null) errors.push(fieldError('body', '/brand/logo', 'invalid_value', fault));
  const support = typeof value.support_url === 'string' ? storedDestination(value.support_url, 'web', null) : null;
  if (support?.kind === 'refused') errors.push(fieldError('body', '/brand/support_url', support.code, support.detail));
  return errors;
}

/** The URL of the brand as it is stored, to be compared with the block list. */
export function placedBrandUrls(value: unknown): readonly PlacedDestination[] {
  const text = isObject(value) ? value.support_url : undefined;
  const outcome = typeof text === 'string' ? storedDestination(text, 'web', null) : null;
  return outcome?.kind === 'ok' ? [{ pointer: '/brand/support_url', url: outcome.url }] : [];
}

/**
 * The brand after a change, member by member: an absent one stays, and null clears it. Null instead of the object clears all. The change
 * was checked before.
 */
export function patchedBrand(stored: StoredBrand, given: EnvironmentPatch['brand']): StoredBrand {
  if (given === undefined) return stored;
  if (given === null) return {};
  const members = Object.entries({ ...stored, ...normalised(given) });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}

function normalised(given: NonNullable<EnvironmentPatch['brand']>): StoredBrand {
  const brand: { -readonly [Member in keyof StoredBrand]: StoredBrand[Member] } = { ...given };
  if (typeof given.color === 'string') brand.color = given.color.toLowerCase();
  if (typeof given.logo === 'string') brand.logo = storedLogo(given.logo).base64;
  if (typeof given.support_url === 'string') {
    const outcome = storedDestination(given.support_url, 'web', null);
    brand.support_url = outcome.kind === 'ok' ? outcome.url : null;
  }
  return brand;
}

type StoredLogo = { readonly fault: null; readonly base64: string } | { readonly fault: string; readonly base64: null };

/** The picture, written again from nothing but its pixels, so that visitors get nothing else that the file held. */
function storedLogo(base64: string): StoredLogo {
  const wrong = logoFault(base64, LOGO_LIMITS);
  if (wrong !== null) return { fault: wrong, base64: null };
  const logo = readLogo(base64);
  if (logo === null) return { fault: DAMAGED, base64: null };
  const file = logoFile(logo);
  if (file.length <= BRAND_LOGO_BYTES_MAX) return { fault: null, base64: file.toString('base64') };
  const detail = `takes ${Math.ceil(file.length / 1024)} KiB when it is stored, more than the ${BRAND_LOGO_BYTES_MAX / 1024} allowed: make it smaller or use fewer colours`;
  return { fault: detail, base64: null };
}
