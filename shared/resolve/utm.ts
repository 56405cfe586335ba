import type { Utm } from '../records/records.js';
import { UTM_FIELDS } from '../records/records.js';
import { encodeValue, type Parameter } from './query.js';

const NONE: readonly Parameter[] = [];

/** The UTM parameters of a visit in their canonical order: each field the link's own, else its campaign's. */
export function utmParameters(own: Utm | null, campaign: Utm | null): readonly Parameter[] {
  if (own === null && campaign === null) return NONE;
  const parameters: Parameter[] = [];
  for (const name of UTM_FIELDS) {
    const value = own?.[name] ?? campaign?.[name] ?? null;
    if (value !== null && value !== '') parameters.push({ name, text: `${name}=${encodeValue(value)}` });
  }
  return parameters;
}

/** The parameters as one query without `?`, as a click stores it; '' if there are none. */
export function queryOf(parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? '' : parameters.map((parameter) => parameter.text).join('&');
}
