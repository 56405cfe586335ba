import { isUtf8 } from 'node:buffer';
import { PATTERN_SEGMENTS_MAX } from '../base/limits.js';

/**
 * Returns the raw segments of a path (no query), ignoring one trailing slash; null if there are none, or more than any
 * pattern has. Escapes stay as they are: an encoded slash does not separate segments.
 */
export function splitPath(path: string): string[] | null {
  if (path.charCodeAt(0) !== 47) return null;
  const end = path.length > 1 && path.charCodeAt(path.length - 1) === 47 ? path.length - 1 : path.length;
  const segments: string[] = [];
  let start = 1;
  while (start <= end) {
    if (segments.length === PATTERN_SEGMENTS_MAX) return null;
    const slash = path.indexOf('/', start);
    const stop = slash === -1 || slash > end ? end : slash;
    segments.push(path.slice(start, stop));
    start = stop + 1;
  }
  return segments;
}

/** Why a segment could not be decoded; '' if it could. */
export type EscapeFault = '' | 'malformed_escape' | 'invalid_utf8';

/** The value of a hexadecimal digit by ASCII code; 255 for any other character. */
const HEX = new Uint8Array(128).fill(255);
for (let value = 0; value < 16; value++) {
  HEX[value.toString(16).charCodeAt(0)] = value;
  HEX[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

function hexValue(byte: number | undefined): number {
  return byte === undefined || byte > 127 ? 255 : (HEX[byte] as number);
}

/** A decoded segment. If it has a fault, `text` contains the faulty escapes as they came, or as U+FFFD. */
export interface DecodedSegment {
  readonly text: string;
  readonly fault: EscapeFault;
}

/** Decodes the segment's escapes once, so that `%2525` is `%25`. The decoded bytes have to be UTF-8. */
export function decodeSegment(raw: string): DecodedSegment {
  const bytes = Buffer.from(raw, 'utf8');
  let length = 0;
  let fault: EscapeFault = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte !== 37) {
      bytes[length++] = byte;
      continue;
    }
    const high = hexValue(bytes[index + 1]);
    const low = hexValue(bytes[index + 2]);
    if (high === 255 || low === 255) {
      fault = 'malformed_escape';
      bytes[length++] = byte;
    } else {
      bytes[length++] = (high << 4) | low;
      index += 2;
    }
  }
  const decoded = bytes.subarray(0, length);
  if (fault === '' && !isUtf8(decoded)) fault = 'invalid_utf8';
  return { text: decoded.toString('utf8'), fault };
}

/** The path with its segments decoded, as patterns see it; null if no pattern has that many segments. */
export function decodedPath(path: string): string | null {
  const segments = splitPath(path);
  return segments === null ? null : segments.map((segment) => `/${decodeSegment(segment).text}`).join('');
}
