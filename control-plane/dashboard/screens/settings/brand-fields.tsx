import { useEffect, useId, useState } from 'react';
import { BRAND_LOGO_BYTES_MAX } from '../../../../shared/base/brand-limits.js';
import { parseHexColor } from '../../../../shared/base/hex-color.js';
import { pageColors } from '../../../../shared/base/page-colors.js';
import { FieldNotes, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { useForm } from '../../forms/form-context.js';
import { usePictureChoice } from '../../forms/picture-choice.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { PhonePreview } from './phone-preview.js';

/** The brand that visitors see on the pages of the link hosts, with a preview of these pages. */
export function BrandFields({ projectName }: { readonly projectName: string }) {
  const { values } = useForm();
  const typed = (member: string) => String(values[`/brand/${member}`] ?? '').trim();
  const logoUrl = useLogoUrl(typed('logo'));
  return (
    <FieldGroup
      title={text('Brand')}
      help={text(
        'Shown on the page that opens the app, on the password page, and on pages for links that lead nowhere. Redirects show no page.',
      )}
    >
      <TextField field="/brand/name" label={text('Name')} placeholder={projectName} help={text('By default the name of the project.')} />
      <div className="field-row">
        <TextField
          field="/brand/color"
          label={text('Colour')}
          placeholder="#0d3b66"
          help={text('For buttons and icons: # and six digits or letters a to f.')}
          warning={colorWarning(typed('color'))}
          monospace
        />
        <ColorPicker color={typed('color')} />
      </div>
      <LogoField url={logoUrl} />
      <TextField
        field="/brand/support_url"
        label={text('Support link')}
        placeholder="https://example.com/help"
        help={text('Where visitors get help. The pages show it next to the name.')}
      />
      <PhonePreview name={typed('name') || projectName} color={typed('color')} logoUrl={logoUrl} supports={typed('support_url') !== ''} />
    </FieldGroup>
  );
}

/** A warning if the colour would be hard to read as text, with the shade that is shown instead. */
function colorWarning(typed: string): string | undefined {
  const color = parseHexColor(typed);
  if (color === null) return undefined;
  const { light, dark } = pageColors(color);
  const [inLight, inDark] = [light.accent !== light.fill, dark.accent !== dark.fill];
  if (!inLight && !inDark) return undefined;
  if (inLight)
    return text('Text in this colour would be hard to read on the light page, so it is shown in {shade}. The button keeps the colour.', {
      shade: light.accent,
    });
  return text('Text in this colour would be hard to read on the dark page, so it is shown in {shade}. The button keeps the colour.', {
    shade: dark.accent,
  });
}

function ColorPicker({ color }: { readonly color: string }) {
  const form = useForm();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{text('Choose the colour')}</label>
      <div className="qr-color">
        <input
          id={id}
          type="color"
          value={parseHexColor(color) === null ? '#2f54eb' : color.toLowerCase()}
          onChange={({ target }) => form.set('/brand/color', target.value)}
        />
        {color === '' ? null : (
          <Button variant="link" onClick={() => form.set('/brand/color', '')}>
            {text('Remove the colour')}
          </Button>
        )}
      </div>
    </div>
  );
}

const LOGO_BOUNDS = { bytes: BRAND_LOGO_BYTES_MAX, sides: [256, 192, 128, 96, 64] };

function LogoField({ url }: { readonly url: string | null }) {
  const form = useForm();
  const id = useId();
  const { refusal, field } = usePictureChoice({
    bounds: LOGO_BOUNDS,
    refusalOf: (name) => text('{name} cannot be shown as an image, or has too many colours for 8 KiB.', { name }),
    onPicture: (base64) => form.set('/brand/logo', base64),
  });
  const theirs = form.theirs['/brand/logo'];
  const error = refusal ?? form.errors['/brand/logo'];
  return (
    <div className="field">
      <label htmlFor={id}>{text('Logo')}</label>
      <input
        id={id}
        type="file"
        accept="image/*"
        aria-describedby={`${id}-help ${id}-error`}
        aria-invalid={error !== undefined}
        {...field}
      />
      {url === null ? null : (
        <div>
          <Button variant="link" onClick={() => form.set('/brand/logo', '')}>
            {text('Remove the logo')}
          </Button>
        </div>
      )}
      {theirs === undefined ? null : (
        <p className="field-theirs">
          <span>{theirs === '' ? text('The logo has been removed elsewhere.') : text('Another logo has been saved elsewhere.')}</span>
          <Button variant="link" onClick={() => form.set('/brand/logo', theirs)}>
            {text('Use it')}
          </Button>
        </p>
      )}
      <div role="alert" aria-atomic="false">
        <FieldNotes
          id={id}
          help={text('The image is converted here to a PNG of at most 256 pixels and 8 KiB. It is shown 64 pixels high on white.')}
          error={error}
        />
      </div>
    </div>
  );
}

/** A blob URL for the picture, because the page's content security policy does not allow `data:` URLs. */
function useLogoUrl(base64: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (base64 === '') return;
    const made = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], { type: 'image/png' }));
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [base64]);
  return url;
}
