import './tile.css';
import type { CSSProperties } from 'react';
import { parsedUrl } from '../../forms/url-field.js';

const COLOURS = 6;

/**
 * A placeholder for the icon of the site that a link leads to: its first letter, on a colour that depends on its name. Loading the site's
 * own icon would tell another server which links the user looks at.
 */
export function Tile({ url }: { readonly url: string }) {
  const host = parsedUrl(url)?.hostname.replace(/^www\./, '') ?? '';
  const letter = [...host].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '/';
  const colour = ([...host].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7) % COLOURS) + 1;
  return (
    <span className="tile" style={{ '--tile': `var(--series-${colour})` } as CSSProperties} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
