import Type from 'typebox';
import {
  QR_FRAME_TEXT_CHARACTERS_MAX,
  QR_LOGO_BASE64_CHARACTERS_MAX,
  QR_LOGO_BYTES_MAX,
  QR_LOGO_PIXELS_MAX,
  QR_MARGIN_DEFAULT,
  QR_MARGIN_MAX,
  QR_MARGIN_MIN,
  QR_PIXELS_DEFAULT,
  QR_PIXELS_MAX,
  QR_PIXELS_MIN,
} from '../../base/qr-limits.js';
import { closedObject, oneOf, plainText, text } from './fields.js';

export const QR_TYPES = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' } as const;
export type QrFormat = keyof typeof QR_TYPES;
export type QrMediaType = (typeof QR_TYPES)[QrFormat];

export const QR_DOT_STYLES = ['square', 'rounded', 'dots'] as const;
export type QrDotStyle = (typeof QR_DOT_STYLES)[number];

export const QR_ERROR_CORRECTIONS = ['L', 'M', 'Q', 'H'] as const;
export type QrErrorCorrection = (typeof QR_ERROR_CORRECTIONS)[number];

/** Six hexadecimal digits. The # is optional: in a query it has to be written as %23, because otherwise it ends the query. */
export const QR_COLOR_PATTERN = '^#?[0-9A-Fa-f]{6}$';

const FRAME_TEXT_HELP =
  'Draws a frame around the code with this line below it, in Latin, Greek or Cyrillic letters. The image is then higher than wide';

/** The look of a code. With `withDefaults`, each member names the value that it has if it is absent. */
function styleFields(withDefaults: boolean) {
  const byDefault = (value: unknown) => (withDefaults ? { default: value } : {});
  const color = (description: string, value: string) =>
    Type.Optional(Type.String({ pattern: QR_COLOR_PATTERN, ...byDefault(value), description }));
  return {
    foreground: color(
      'Colour of the dark parts, such as 0d3b66, with or without a #. Scanners need it to be darker than the background',
      '#000000',
    ),
    background: color('Colour of the light parts', '#ffffff'),
    dots: Type.Optional(Type.Unsafe<QrDotStyle>({ ...oneOf(QR_DOT_STYLES, 'Form of the dark parts'), ...byDefault('square') })),
    margin: Type.Optional(
      Type.Integer({
        minimum: QR_MARGIN_MIN,
        maximum: QR_MARGIN_MAX,
        ...byDefault(QR_MARGIN_DEFAULT),
        description: 'Width of the light margin, in modules. ISO/IEC 18004 requires 4',
      }),
    ),
    error_correction: Type.Optional(
      Type.Unsafe<QrErrorCorrection>({
        ...oneOf(QR_ERROR_CORRECTIONS, 'How much of the symbol may be lost: 7, 15, 25 or 30 %. By default M, with a logo H'),
      }),
    ),
    frame_text: Type.Optional(plainText(FRAME_TEXT_HELP, 1, QR_FRAME_TEXT_CHARACTERS_MAX)),
  };
}

const request = {
  format: Type.Optional(Type.Unsafe<QrFormat>({ ...oneOf(['svg', 'png', 'pdf'], 'Form of the image'), default: 'svg' })),
  size: Type.Optional(
    Type.Integer({
      minimum: QR_PIXELS_MIN,
      maximum: QR_PIXELS_MAX,
      default: QR_PIXELS_DEFAULT,
      description: 'Width in pixels, including the margin. Without a frame the height is the same. A PDF has 96 pixels per inch',
    }),
  ),
  ...styleFields(true),
};

const QR_STYLE_HELP = 'Default style of QR codes of links that are shown on this host. A request for a QR code can override it';

/** The style of a domain. */
export const qrStyleSchema = Type.Object(
  { ...styleFields(false), frame_text: Type.Optional(text(FRAME_TEXT_HELP)) },
  { description: `${QR_STYLE_HELP}. Absent members have their usual defaults; null if there is no style` },
);
export type QrStyle = Type.Static<typeof qrStyleSchema>;

export const qrStyleInSchema = closedObject(styleFields(false), {
  description: `${QR_STYLE_HELP}. It replaces the whole style; null clears it.`,
  examples: [{ foreground: '#0d3b66', dots: 'rounded', frame_text: 'Scan me' }],
});

export const qrQuerySchema = closedObject(request);

export const qrBodySchema = closedObject({
  ...request,
  logo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: QR_LOGO_BASE64_CHARACTERS_MAX,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: `A PNG in base64 for the middle of the code, ${QR_LOGO_BYTES_MAX / 1024} KiB and ${QR_LOGO_PIXELS_MAX} pixels wide or high at most. It covers at most a sixteenth of the symbol, and error correction is H`,
    }),
  ),
});
/** Options of a request for a code. Absent ones have their defaults. */
export type QrRequest = Type.Static<typeof qrBodySchema>;
