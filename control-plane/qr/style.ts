import { parseHexColor, type Rgb } from '../../shared/base/hex-color.js';
import { QR_MARGIN_DEFAULT, QR_PIXELS_DEFAULT } from '../../shared/base/qr-limits.js';
import { scannerFault } from '../../shared/base/scanner-contrast.js';
import type { QrDotStyle, QrErrorCorrection, QrFormat, QrRequest } from '../../shared/contract/schemas/link-qr.js';
import type { FieldError, FieldPlace } from '../../shared/contract/schemas/problem-codes.js';
import { fieldError } from '../http/problems.js';
import { logoFault } from './logo.js';

/** The position of the fields of a style in a request. */
export interface StylePlace {
  readonly in: FieldPlace;
  /** JSON Pointer to the object that contains them. */
  readonly parent: string;
}

/** The QR code to make. */
export interface QrTask {
  readonly text: string;
  readonly format: QrFormat;
  /** In pixels. */
  readonly size: number;
  readonly foreground: Rgb;
  readonly background: Rgb;
  readonly dots: QrDotStyle;
  readonly margin: number;
  readonly errorCorrection: QrErrorCorrection;
  readonly frameText: string | null;
  /** A PNG in base64. */
  readonly logo: string | null;
  /** The position of its fields, for errors that are found while the code is drawn. */
  readonly place: StylePlace;
}

const BLACK: Rgb = { red: 0, green: 0, blue: 0 };
const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

export function taskOf(text: string, request: QrRequest, place: StylePlace): QrTask {
  return {
    text,
    format: request.format ?? 'svg',
    size: request.size ?? QR_PIXELS_DEFAULT,
    foreground: colorOf(request.foreground) ?? BLACK,
    background: colorOf(request.background) ?? WHITE,
    dots: request.dots ?? 'square',
    margin: request.margin ?? QR_MARGIN_DEFAULT,
    errorCorrection: request.logo === undefined ? (request.error_correction ?? 'M') : 'H',
    frameText: request.frame_text?.normalize('NFC') ?? null,
    logo: request.logo ?? null,
    place,
  };
}

function colorOf(text: unknown): Rgb | null {
  return typeof text === 'string' ? parseHexColor(text) : null;
}

/** Fields of unchecked input, of any type. */
export type Fields = Readonly<Record<string, unknown>>;

/** Checks what the schema of a style cannot express. `given` are the fields that the caller can change; the others come from a domain. */
export function styleErrors(style: Fields, place: StylePlace, given: Fields = style): readonly FieldError[] {
  const { foreground = '#000000', background = '#ffffff' } = style;
  const [dark, light] = [colorOf(foreground), colorOf(background)];
  const fault = dark === null || light === null ? null : scannerFault(dark, light);
  if (fault === null) return [];
  const field = given.foreground === undefined ? 'background' : 'foreground';
  return [fieldError(place.in, `${place.parent}/${field}`, 'invalid_value', blamed(fault, given))];
}

/** Checks what the schema of a request cannot express. */
export function requestErrors(request: Fields, place: FieldPlace): readonly FieldError[] {
  const errors = [...styleErrors(request, { in: place, parent: '' })];
  const { logo, error_correction: errorCorrection } = request;
  if (typeof logo === 'string') {
    const wrong = logoFault(logo);
    if (wrong !== null) errors.push(fieldError(place, '/logo', 'invalid_value', wrong));
    if (errorCorrection !== undefined && errorCorrection !== 'H')
      errors.push(fieldError(place, '/error_correction', 'invalid_value', 'must be H, or absent, for a code with a logo'));
  }
  return errors;
}

/** The sentence is about the foreground. If the caller did not set a foreground, the error is about the background. */
function blamed(fault: string, { foreground }: Fields): string {
  return foreground === undefined ? `cannot be combined with the foreground, which ${fault}` : fault;
}
