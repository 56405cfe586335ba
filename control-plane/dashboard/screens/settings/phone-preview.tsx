import './phone-preview.css';
import { type CSSProperties, useState } from 'react';
import { parseHexColor } from '../../../../shared/base/hex-color.js';
import { type PageColors, pageColors } from '../../../../shared/base/page-colors.js';
import { labelled, message, text } from '../../language/text.js';
import { Segments } from '../../parts/segments.js';

interface PhonePreviewProps {
  readonly name: string;
  readonly color: string;
  readonly logoUrl: string | null;
  /** Whether there is a support link. */
  readonly supports: boolean;
}

const PAGES = [
  { value: 'open', label: message('Opens the app') },
  { value: 'password', label: message('Asks for a password') },
  { value: 'not_found', label: message('Leads nowhere') },
] as const;
type ShownPage = (typeof PAGES)[number]['value'];

/** The pages of the link hosts as a phone shows them, in the light and the dark theme. They are in English, which is their own language. */
export function PhonePreview(props: PhonePreviewProps) {
  const [page, setPage] = useState<ShownPage>('open');
  const color = parseHexColor(props.color);
  const colors = color === null ? null : pageColors(color);
  return (
    <div className="field">
      <Segments label={text('Page of the preview')} value={page} choices={labelled(PAGES)} onChange={setPage} />
      <div className="phones" role="img" aria-label={text('{name} on a phone, with light and dark colours', { name: props.name })}>
        {(['light', 'dark'] as const).map((scheme) => (
          <div key={scheme} className={`phone phone-${scheme}`} style={propertiesOf(colors?.[scheme])}>
            <div className="phone-card" lang="en">
              <Shown page={page} {...props} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The colours as CSS properties. Without colours, the defaults of the style sheet apply, which are those of the pages. */
function propertiesOf(colors: PageColors | undefined): CSSProperties {
  return Object.fromEntries(Object.entries(colors ?? {}).map(([name, value]) => [`--phone-${name}`, value]));
}

const WORDS = {
  password: { title: 'Enter the password', text: 'This link is protected. Ask the person who sent it to you for the password.' },
  not_found: { title: 'Link not found', text: 'There is no link at this address. Check it for a typing error.' },
};

function Shown({ page, name, logoUrl, supports }: PhonePreviewProps & { readonly page: ShownPage }) {
  const open = { title: `Continue in the ${name} app`, text: 'Tap the button to open this link in the app.' };
  const { title, text: lead } = page === 'open' ? open : WORDS[page];
  return (
    <>
      <Mark name={name} logoUrl={logoUrl} signed={page === 'not_found'} />
      <strong>{title}</strong>
      <p>{lead}</p>
      {page === 'password' ? <span className="phone-input" /> : null}
      {page === 'not_found' ? null : <span className="phone-main">{page === 'open' ? 'Open the app' : 'Continue'}</span>}
      {page === 'open' ? <span className="phone-second">Get the app</span> : null}
      {page === 'open' && !supports ? null : (
        <p className="phone-owner">
          {name}
          {supports ? (
            <>
              {' · '}
              <span>Get help</span>
            </>
          ) : null}
        </p>
      )}
    </>
  );
}

/** Pages show the first letter as a person sees it, such as an emoji of several characters. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function initialOf(name: string): string {
  const [first] = graphemes.segment(name);
  return first?.segment.toUpperCase() ?? '';
}

function Mark({ name, logoUrl, signed }: Pick<PhonePreviewProps, 'name' | 'logoUrl'> & { readonly signed: boolean }) {
  return (
    <>
      {logoUrl === null ? null : <img className="phone-logo" src={logoUrl} alt="" />}
      {signed ? <span className="phone-sign">?</span> : null}
      {logoUrl !== null || signed ? null : <span className="phone-mark">{initialOf(name)}</span>}
    </>
  );
}
