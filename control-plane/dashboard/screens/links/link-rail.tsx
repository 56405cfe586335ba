import { useState } from 'react';
import { withoutScheme } from '../../format/urls.js';
import type { FieldValues } from '../../forms/field-values.js';
import { parsedUrl, urlOfField } from '../../forms/url-field.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { useAfterTyping } from '../../parts/after-typing.js';
import { CARD_SERVICES, CardGallery, type CardService } from '../../parts/card-gallery.js';
import { CopyButton } from '../../parts/copy.js';
import { QrCode } from '../../parts/qr-code.js';
import { WholeParts } from '../../parts/whole-parts.js';
import { useSignedIn } from '../../session/signed-in.js';
import { useCampaign } from './campaign-choice.js';
import { cardWords } from './card-words.js';
import { type FinalUrl, finalUrl, type Visitor } from './final-urls.js';
import { shownHost } from './link-fields.js';
import { PLATFORM_LABELS } from './link-words.js';
import { styleOf, useDomainOf } from './qr-style.js';
import { SCANNED } from './read-qr.js';

interface LinkRailProps {
  readonly values: FieldValues;
  /** The short URL of a saved link; null for a new one. */
  readonly url: string | null;
}

/** A preview of the form's current values: the destination for each platform, the QR code and the card. */
export function LinkRail({ values, url }: LinkRailProps) {
  const { settings } = useSignedIn();
  const path = String(values['/path']).trim();
  const origin = `${new URL(settings.link_origin).protocol}//${shownHost(settings, String(values['/domain']))}/`;
  // The saved URL of a link is not the one that it has after a change of its domain.
  const saved = url !== null && new URL(url).host === new URL(origin).host ? url : null;
  const shown = saved ?? (path === '' ? null : origin + encodeURI(path));
  const domain = useDomainOf(new URL(origin).hostname);
  return (
    <aside className="rail framed" aria-label={text('What visitors get')}>
      <section className="stack rail-part">
        <h2>{text('Short URL')}</h2>
        <div className="rail-url">
          <code>
            <WholeParts text={withoutScheme(origin)} />
            {path === '' ? <span className="muted">{text('generated')}</span> : <strong>{path}</strong>}
          </code>
          {saved === null ? null : <CopyButton text={saved} label={text('Copy the short URL')} />}
        </div>
      </section>
      <FinalUrls values={values} />
      <CardPreview values={values} />
      <section className="stack rail-part">
        <h2>{text('QR code')}</h2>
        {shown === null ? (
          <p className="muted">{text('Shown as soon as the path is set.')}</p>
        ) : (
          <QrCode
            text={`${shown}${SCANNED}`}
            label={text('QR code of {path}', { path: withoutScheme(shown) })}
            look={styleOf(domain?.qr_style ?? null)}
          />
        )}
      </section>
    </aside>
  );
}

const VISITORS: readonly (readonly [Visitor, Message])[] = [
  ['desktop', message('Computer')],
  ['ios', message('iPhone')],
  ['android', message('Android')],
];

function FinalUrls({ values }: { readonly values: FieldValues }) {
  const { settings } = useSignedIn();
  const campaign = useCampaign(String(values['/campaign']));
  return (
    <section className="stack rail-part">
      <h2>{text('Leads to')}</h2>
      <dl className="final-urls">
        {VISITORS.map(([visitor, label]) => {
          const found = finalUrl(visitor, values, settings, campaign);
          return (
            <div key={visitor} className="final-url">
              <dt>
                {textOf(label)} {found === null ? null : <small>{sourceOf(found)}</small>}
              </dt>
              <dd>
                {found === null ? <span className="muted">{text('a page with the name of your app')}</span> : <code>{found.url}</code>}
              </dd>
            </div>
          );
        })}
      </dl>
      {values['/has_password'] === true ? <p className="muted">{text('After entering the password.')}</p> : null}
      {String(values['/geo']).trim() === '' ? null : (
        <p className="muted">{text('Visitors from the countries in your rules go to other destinations.')}</p>
      )}
    </section>
  );
}

function sourceOf({ from, slot }: FinalUrl): string {
  if (from === 'store') return text('page of your app in the store');
  if (from === 'environment') return text('default of the environment, {platform}', { platform: textOf(PLATFORM_LABELS[slot]) });
  return slot === 'web' ? '' : slot === 'fallback' ? text('fallback') : text('its own destination');
}

/** How long the URL of an image must be unchanged before it is loaded, in milliseconds. Half a URL names somebody else's host. */
const IMAGE_SETTLED_MS = 800;

/** The URL from which the image will be loaded; null for a text that is no https URL, usually because it is not complete yet. */
function imageUrlOf(typed: string | null): string | null {
  const url = typed === null ? null : parsedUrl(urlOfField(typed) ?? '');
  return url?.protocol === 'https:' ? url.href : null;
}

function CardPreview({ values }: { readonly values: FieldValues }) {
  const { settings } = useSignedIn();
  const [service, setService] = useState<CardService>('Slack');
  const typed = (member: string) => String(values[`/card/${member}`] ?? '').trim() || null;
  const [title, description, image] = [typed('title'), typed('description'), typed('image_url')];
  const image_url = useAfterTyping(imageUrlOf(image), IMAGE_SETTLED_MS);
  const isEmpty = title === null && description === null && image === null;
  const isProtected = values['/has_password'] === true || String(values['/max_clicks']).trim() !== '';
  const host = shownHost(settings, String(values['/domain']));
  return (
    <section className="stack rail-part">
      <div className="rail-head">
        <h2>{text('Preview card')}</h2>
        {isEmpty ? null : (
          <select aria-label={text('Service')} value={service} onChange={({ target }) => setService(target.value as CardService)}>
            {CARD_SERVICES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </div>
      {isEmpty ? (
        <p className="muted">{cardWords({ isProtected, web: finalUrl('other', values, settings, null)?.url ?? null })}</p>
      ) : (
        <CardGallery
          only={service}
          content={{ title: title ?? settings.project.name, description, image_url, large_image: image_url !== null, host }}
        />
      )}
    </section>
  );
}
