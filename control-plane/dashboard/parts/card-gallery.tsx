import { useState } from 'react';
import { text } from '../language/text.js';

/** The texts and the image of a card. */
export interface CardContent {
  readonly title: string | null;
  readonly description: string | null;
  readonly image_url: string | null;
  readonly large_image: boolean;
  readonly host: string;
}

const SERVICES = [
  ['Slack', Slack],
  ['X', X],
  ['WhatsApp', WhatsApp],
  ['Facebook', Facebook],
  ['iMessage', IMessage],
] as const;

export type CardService = (typeof SERVICES)[number][0];
export const CARD_SERVICES: readonly CardService[] = SERVICES.map(([name]) => name);

interface CardGalleryProps {
  readonly content: CardContent;
  /** The only service to show; all of them if absent. */
  readonly only?: CardService;
}

/**
 * Imitates how five services lay out the same tags: which texts they show, in what order, and how large the image is. The result is close
 * but not exact, because each service may change its layout at any time.
 */
export function CardGallery({ content, only }: CardGalleryProps) {
  return (
    <ul className="card-gallery">
      {SERVICES.filter(([name]) => only === undefined || name === only).map(([name, Layout]) => (
        <li key={name}>
          <p className="card-service">{name}</p>
          <Layout {...content} />
        </li>
      ))}
    </ul>
  );
}

function Picture({ url, className }: { readonly url: string | null; readonly className: string }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (url === null) return null;
  if (failed === url) return <span className={`${className} card-picture-missing`}>{text('The image cannot be loaded')}</span>;
  return <img className={className} src={url} alt="" referrerPolicy="no-referrer" onError={() => setFailed(url)} />;
}

function Slack({ title, description, image_url, host }: CardContent) {
  return (
    <div className="shown-card slack">
      <span className="shown-host">{host}</span>
      <strong>{title ?? host}</strong>
      {description === null ? null : <span>{description}</span>}
      <Picture url={image_url} className="shown-wide" />
    </div>
  );
}

function X({ title, description, image_url, large_image, host }: CardContent) {
  if (large_image && image_url !== null)
    return (
      <div className="shown-card x-large">
        <div className="x-picture">
          <Picture url={image_url} className="shown-wide" />
          <span className="x-title one-line">{title ?? host}</span>
        </div>
        <span className="shown-host">{text('From {host}', { host })}</span>
      </div>
    );
  return (
    <div className="shown-card x-small">
      <Picture url={image_url} className="shown-square" />
      <div>
        <span className="shown-host">{host}</span>
        <strong>{title ?? host}</strong>
        {description === null ? null : <span>{description}</span>}
      </div>
    </div>
  );
}

function WhatsApp({ title, description, image_url, large_image, host }: CardContent) {
  return (
    <div className={large_image ? 'shown-card whatsapp whatsapp-large' : 'shown-card whatsapp'}>
      <Picture url={image_url} className={large_image ? 'shown-wide' : 'shown-square'} />
      <div>
        <strong>{title ?? host}</strong>
        {description === null ? null : <span>{description}</span>}
        <span className="shown-host">{host}</span>
      </div>
    </div>
  );
}

function Facebook({ title, description, image_url, host }: CardContent) {
  return (
    <div className="shown-card facebook">
      <Picture url={image_url} className="shown-wide" />
      <div>
        <span className="shown-host">{host.toUpperCase()}</span>
        <strong>{title ?? host}</strong>
        {description === null ? null : <span className="one-line">{description}</span>}
      </div>
    </div>
  );
}

function IMessage({ title, image_url, host }: CardContent) {
  return (
    <div className="shown-card imessage">
      <Picture url={image_url} className="shown-wide" />
      <div>
        <strong>{title ?? host}</strong>
        <span className="shown-host">{host}</span>
      </div>
    </div>
  );
}
