import { PASSTHROUGH_BYTES_MAX, PASSTHROUGH_PARAMETERS_MAX } from '../base/limits.js';
import { decodeName, escapePiece, firstValues, type Parameter } from './query.js';

/** The part of a short URL's query that reaches the destination and the app. */
export interface Passthrough {
  readonly parameters: readonly Parameter[];
  /** The query exceeded a bound and was left out as a whole, because half of the parameters is worse than none. */
  readonly dropped: boolean;
}

const NOTHING: Passthrough = { parameters: [], dropped: false };
const DROPPED: Passthrough = { parameters: [], dropped: true };

/** Returns the parameters, by name, that an app receives of a raw query that is passed on. Null if there are none. */
export function passedParameters(query: string): Record<string, string> | null {
  const { parameters } = readPassthrough(query);
  return parameters.length === 0 ? null : firstValues(parameters.map(({ text }) => text).join('&'));
}

/** Reads the raw query, without `?`, of a link that passes parameters on. Pieces without a name are left out. */
export function readPassthrough(query: string): Passthrough {
  if (query === '') return NOTHING;
  if (query.length > PASSTHROUGH_BYTES_MAX || Buffer.byteLength(query) > PASSTHROUGH_BYTES_MAX) return DROPPED;
  const parameters: Parameter[] = [];
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    const name = equals === -1 ? piece : piece.slice(0, equals);
    if (name === '') continue;
    if (parameters.length === PASSTHROUGH_PARAMETERS_MAX) return DROPPED;
    parameters.push({ name: decodeName(name), text: escapePiece(piece) });
  }
  return { parameters, dropped: false };
}
