import { type ReactNode, useId } from 'react';
import type { QrDotStyle, QrErrorCorrection } from '../../../../shared/contract/schemas/link-qr.js';
import { exactCount, share } from '../../format/numbers.js';
import { FieldNotes } from '../../forms/fields.js';
import { usePictureChoice } from '../../forms/picture-choice.js';
import { languageOf } from '../../language/quoted.js';
import { labelled, type Message, message, text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Options } from '../../parts/select.js';
import { isSize, PIXELS_MAX, PIXELS_MIN, presets, type QrStyle } from './qr-style.js';

const MARGIN_MIN = 2;
const MARGIN_MAX = 16;
const FRAME_TEXT_CHARACTERS_MAX = 32;

interface QrFieldsProps {
  readonly style: QrStyle;
  /** The problem with the fields, as a sentence; '' if there is none. */
  readonly fault: string;
  readonly pixels: number;
  readonly onStyle: (style: QrStyle) => void;
  readonly onPixels: (pixels: number) => void;
}

const DOTS: readonly { readonly value: QrDotStyle; readonly label: Message }[] = [
  { value: 'square', label: message('Squares') },
  { value: 'rounded', label: message('Rounded') },
  { value: 'dots', label: message('Dots') },
];

const CORRECTIONS: readonly { readonly value: QrErrorCorrection; readonly percent: number }[] = [
  { value: 'L', percent: 7 },
  { value: 'M', percent: 15 },
  { value: 'Q', percent: 25 },
  { value: 'H', percent: 30 },
];

export function QrFields({ style, fault, pixels, onStyle, onPixels }: QrFieldsProps) {
  const change = (part: Partial<QrStyle>) => onStyle({ ...style, ...part });
  return (
    <div className="qr-fields">
      <fieldset className="qr-presets">
        <legend>{text('Start from')}</legend>
        {presets().map((preset) => (
          <Button key={preset.name} onClick={() => onStyle({ ...style, ...preset.style, logo: style.logo })}>
            {preset.name}
          </Button>
        ))}
      </fieldset>
      <Color label={text('Foreground')} value={style.foreground} onChange={(foreground) => change({ foreground })} />
      <Color label={text('Background')} value={style.background} onChange={(background) => change({ background })} />
      <p className="field-warning qr-wide" role="status" lang={languageOf(fault)}>
        {fault}
      </p>
      <Labelled label={text('Shape of the dark parts')}>
        {(wiring) => (
          <select {...wiring} value={style.dots} onChange={({ target }) => change({ dots: target.value as QrDotStyle })}>
            <Options choices={labelled(DOTS)} />
          </select>
        )}
      </Labelled>
      <Labelled label={text('Margin in modules')}>
        {(wiring) => (
          <select {...wiring} value={style.margin} onChange={({ target }) => change({ margin: Number(target.value) })}>
            {Array.from({ length: MARGIN_MAX - MARGIN_MIN + 1 }, (_, index) => MARGIN_MIN + index).map((margin) => (
              <option key={margin} value={margin}>
                {margin === 4 ? text('4 (standard)') : margin}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled
        label={text('Error correction')}
        help={style.logo === null ? undefined : text('A code with a logo always has H, the highest.')}
      >
        {(wiring) => (
          <select
            {...wiring}
            value={style.logo === null ? style.errorCorrection : 'H'}
            disabled={style.logo !== null}
            onChange={({ target }) => change({ errorCorrection: target.value as QrErrorCorrection })}
          >
            {CORRECTIONS.map(({ value, percent }) => (
              <option key={value} value={value}>
                {value === 'L'
                  ? text('{percent} can be damaged (L)', { percent: share(percent / 100) })
                  : `${share(percent / 100)} (${value})`}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={text('Line below the code')} help={text('In a frame. Latin, Greek or Cyrillic letters.')}>
        {(wiring) => (
          <input
            {...wiring}
            value={style.frameText}
            maxLength={FRAME_TEXT_CHARACTERS_MAX}
            placeholder={text('Scan me')}
            onChange={({ target }) => change({ frameText: target.value })}
          />
        )}
      </Labelled>
      <LogoField logo={style.logo} onChange={(logo) => change({ logo })} />
      <Labelled
        label={text('Width of the download in pixels')}
        help={text('{least} to {most}. In a PDF, 96 pixels are an inch.', { least: PIXELS_MIN, most: exactCount(PIXELS_MAX) })}
        error={
          isSize(pixels)
            ? undefined
            : text('Enter a whole number from {least} to {most}.', { least: PIXELS_MIN, most: exactCount(PIXELS_MAX) })
        }
      >
        {(wiring) => (
          <input
            {...wiring}
            type="number"
            min={PIXELS_MIN}
            max={PIXELS_MAX}
            aria-invalid={!isSize(pixels)}
            value={Number.isNaN(pixels) ? '' : pixels}
            onChange={({ target }) => onPixels(target.valueAsNumber)}
          />
        )}
      </Labelled>
    </div>
  );
}

interface LabelledProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (wiring: { readonly id: string; readonly 'aria-describedby': string }) => ReactNode;
}

function Labelled({ label, help, error, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-help ${id}-error` })}
      <div role="alert" aria-atomic="false">
        <FieldNotes id={id} help={help} error={error} />
      </div>
    </div>
  );
}

interface ColorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Color({ label, value, onChange }: ColorProps) {
  return (
    <Labelled label={label}>
      {(wiring) => (
        <div className="qr-color">
          <input {...wiring} type="color" value={value} onChange={({ target }) => onChange(target.value)} />
          <code>{value}</code>
        </div>
      )}
    </Labelled>
  );
}

const LOGO_BOUNDS = { bytes: 64 * 1024, sides: [512, 256, 128, 64] };

function LogoField({ logo, onChange }: { readonly logo: QrStyle['logo']; readonly onChange: (logo: QrStyle['logo']) => void }) {
  const id = useId();
  const { refusal, field } = usePictureChoice({
    bounds: LOGO_BOUNDS,
    refusalOf: (name) => text('This browser cannot show {name} as an image.', { name }),
    onPicture: (base64, name) => onChange({ name, base64 }),
  });
  return (
    <div className="field">
      <label htmlFor={id}>{text('Logo')}</label>
      {logo === null ? (
        <input
          id={id}
          type="file"
          accept="image/*"
          aria-describedby={`${id}-help ${id}-error`}
          aria-invalid={refusal !== null}
          {...field}
        />
      ) : (
        <div className="qr-color">
          <span>{logo.name}</span>
          <Button variant="link" onClick={() => onChange(null)}>
            {text('Remove the logo')}
          </Button>
        </div>
      )}
      <div className="field-error" id={`${id}-error`} role="alert">
        {refusal}
      </div>
      <div className="field-help" id={`${id}-help`}>
        {text('An image for the middle. It is converted to a PNG here before it is sent.')}
      </div>
    </div>
  );
}
