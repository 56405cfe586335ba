import Type from 'typebox';
import { QR_PIXELS_DEFAULT, QR_PIXELS_MAX, QR_PIXELS_MIN } from '../../base/limits.js';
import { oneOf } from './fields.js';

export const QR_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;
export type QrFormat = keyof typeof QR_TYPES;

export const qrQuerySchema = Type.Object(
  {
    format: Type.Optional(Type.Unsafe<QrFormat>({ ...oneOf(['svg', 'png'], 'Form of the image'), default: 'svg' })),
    size: Type.Optional(
      Type.Integer({
        minimum: QR_PIXELS_MIN,
        maximum: QR_PIXELS_MAX,
        default: QR_PIXELS_DEFAULT,
        description: 'Width and height in pixels, the quiet zone of four modules included',
      }),
    ),
  },
  { additionalProperties: false },
);
