import './tile.css';
import type { CSSProperties } from 'react';
import { parsedUrl } from '../../forms/url-field.js';

const COLOURS = 6;

/**
 * Stands for the site that a link leads to: its first letter, on a colour of its name. The site's own icon would have to be
 * asked for elsewhere, and nobody else is told which links are looked at.
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
