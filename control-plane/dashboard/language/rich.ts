import { createElement, Fragment, type ReactNode } from 'react';
import { filled, text } from './text.js';

type Inserted = string | number | ReactNode | ((inner: string) => ReactNode);

/**
 * A text with elements. A value replaces `{name}`, and the result of a function replaces `<name>words</name>`, with the words as its
 * argument.
 */
export function rich(english: string, values: Readonly<Record<string, Inserted>>): ReactNode {
  const parts = text(english).split(/(<\w+>[^<]*<\/\w+>|\{\w+\})/);
  return parts.map((part, place) => {
    const [, tag, inner, name] = /^<(\w+)>([^<]*)<|^\{(\w+)\}$/.exec(part) ?? [];
    const value = values[tag ?? name ?? ''];
    if (value === undefined) return part;
    return createElement(Fragment, { key: place }, typeof value === 'function' ? value(filled(inner ?? '', values)) : value);
  });
}
