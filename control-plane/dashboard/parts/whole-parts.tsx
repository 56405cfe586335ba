import { Fragment } from 'react';

/** A part of a URL with the slashes after it, or a word of a command. */
const PARTS = /[^/\s]*(?:\/+|\s+|$)/g;

/**
 * A URL or a command for a `<code>` element. Its lines break after a slash or a space, but not at the hyphens of a host name or an option.
 */
export function WholeParts({ text }: { readonly text: string }) {
  return (text.match(PARTS) ?? []).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    <Fragment key={place}>
      <span className="whole-part">{part.trimEnd()}</span>
      {part.slice(part.trimEnd().length)}
    </Fragment>
  ));
}
