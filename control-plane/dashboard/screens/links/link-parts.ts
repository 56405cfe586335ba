import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DraftForm } from '../../forms/draft-form.js';
import { type Message, message } from '../../language/text.js';
import { linkValues } from './link-values.js';
import { UTM_NAMES } from './link-words.js';

/** Parts of a link's form that are closed until they are needed, with their fields. Most links need none of them. */
export const LINK_PARTS = {
  platforms: { label: message('Per platform'), fields: ['ios', 'android', 'desktop', 'fallback'].map((name) => `/destinations/${name}`) },
  campaign: {
    label: message('Campaign and UTM'),
    fields: ['/campaign', ...UTM_NAMES.map((name) => `/${name}`), '/allow_param_passthrough'],
  },
  rules: {
    label: message('Expiry and rules'),
    fields: ['/active_from', '/expires_at', '/max_clicks', '/has_password', '/password', '/geo', '/interstitial'],
  },
  card: { label: message('Preview card'), fields: ['/card/title', '/card/description', '/card/image_url'] },
  app: { label: message('App data'), fields: ['/deep_link_path', '/data'] },
  aliases: { label: message('Aliases'), fields: ['/aliases'] },
  tags: { label: message('Name and tags'), fields: ['/title', '/tags', '/archived'] },
  comments: { label: message('Comments'), fields: ['/comments'] },
} as const satisfies Readonly<Record<string, { readonly label: Message; readonly fields: readonly string[] }>>;

export type LinkPart = keyof typeof LINK_PARTS;
export const PART_NAMES = Object.keys(LINK_PARTS) as readonly LinkPart[];

/** Id of the element that holds the fields of a part. */
export const partId = (part: LinkPart): string => `link-part-${part}`;

interface Parts {
  isOpen(part: LinkPart): boolean;
  /** Whether any field of the part is set. */
  isSet(part: LinkPart): boolean;
  /** Opens a part and moves the focus to its first field, or closes it. The values of its fields stay. */
  toggle(part: LinkPart): void;
}

const EMPTY = linkValues(null, 'UTC');

export function useLinkParts({ values, errors, theirs }: DraftForm): Parts {
  const isSet = (part: LinkPart) =>
    LINK_PARTS[part].fields.some((field) => JSON.stringify(values[field] ?? '') !== JSON.stringify(EMPTY[field] ?? ''));
  // A part with values is open from the start, and stays open when the user clears them.
  const [open, setOpen] = useState<ReadonlySet<LinkPart>>(() => new Set(PART_NAMES.filter(isSet)));
  const isMarked = (part: LinkPart) => LINK_PARTS[part].fields.some((field) => errors[field] !== undefined || theirs[field] !== undefined);
  const marked = PART_NAMES.filter(isMarked).join(' ');
  useEffect(() => {
    if (marked !== '') setOpen((before) => new Set([...before, ...(marked.split(' ') as LinkPart[])]));
  }, [marked]);
  return {
    // Opens in the same render as the errors appear, because the form moves the focus to the first of them.
    isOpen: (part) => open.has(part) || isMarked(part),
    isSet,
    toggle: (part) => {
      const opens = !open.has(part);
      flushSync(() => setOpen(new Set(opens ? [...open, part] : [...open].filter((each) => each !== part))));
      if (opens) document.querySelector<HTMLElement>(`#${partId(part)} :is(input, select, textarea)`)?.focus();
    },
  };
}
