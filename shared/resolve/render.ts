import { bySlot, type DestinationSlot, type Destinations } from '../records/records.js';
import { encodeForPath, encodeForUrl, splitAtId } from './placeholders.js';

/** An app's own object, as it came in a body. */
export type DataObject = Readonly<Record<string, unknown>>;

/** The parts of a template that are rendered for an item, and what the item's visitors and apps get of them. */
export interface TemplateContent {
  readonly deep_link_path: string;
  /** Null where the template sets none. */
  readonly data: DataObject | null;
  readonly redirects: Destinations;
  readonly allow_param_passthrough: boolean;
}

/** Texts between the ids; null if there is nothing to render. */
type Literals = readonly string[];

/** A template's content, split once so that rendering is joining. */
export interface CompiledContent {
  /** The route up to `?` or `#`, in which an id is a part of a path. */
  readonly route: Literals;
  /** The rest of the deep link path, in which it is a value. */
  readonly route_end: Literals;
  /** The object as JSON text. */
  readonly data: Literals | null;
  readonly redirects: { readonly [Slot in DestinationSlot]: Literals | null };
  readonly allow_param_passthrough: boolean;
}

/** JSON with the placeholders left in texts, and in nothing else: keys are the app's own names. */
function jsonLiterals(value: unknown, type: string): string[] {
  const literals = [''];
  const write = (text: string) => {
    literals[literals.length - 1] += text;
  };
  const walk = (node: unknown): void => {
    if (typeof node === 'string') {
      const [first, ...rest] = splitAtId(node, type).map((literal) => JSON.stringify(literal).slice(1, -1));
      write(`"${first}`);
      literals.push(...rest);
      write('"');
    } else if (Array.isArray(node)) {
      write('[');
      for (const [index, item] of node.entries()) {
        if (index > 0) write(',');
        walk(item);
      }
      write(']');
    } else if (typeof node === 'object' && node !== null) {
      write('{');
      for (const [index, [key, member]] of Object.entries(node).entries()) {
        write(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
        walk(member);
      }
      write('}');
    } else write(JSON.stringify(node));
  };
  walk(value);
  return literals;
}

/**
 * Splits an accepted template's content for a resource type. The type's key consists of characters that need no escape
 * anywhere, so that it is filled in here, once.
 */
export function compileContent(content: TemplateContent, type: string): CompiledContent {
  const path = content.deep_link_path;
  const end = path.search(/[?#]/);
  return {
    route: splitAtId(end === -1 ? path : path.slice(0, end), type),
    route_end: splitAtId(end === -1 ? '' : path.slice(end), type),
    data: content.data === null ? null : jsonLiterals(content.data, type),
    redirects: bySlot((slot) => {
      const url = content.redirects[slot];
      return url === null ? null : splitAtId(url, type);
    }),
    allow_param_passthrough: content.allow_param_passthrough,
  };
}

export function renderDeepLinkPath(content: CompiledContent, id: string): string {
  const { route, route_end } = content;
  const start = route.length === 1 ? (route[0] as string) : route.join(encodeForPath(id));
  return start + (route_end.length === 1 ? (route_end[0] as string) : route_end.join(encodeForUrl(id)));
}

/** The template's own destinations for the item: the id is percent-encoded and changes neither scheme nor host. */
export function renderRedirects(content: CompiledContent, id: string): Destinations {
  const encoded = encodeForUrl(id);
  return bySlot((slot) => content.redirects[slot]?.join(encoded) ?? null);
}

/** The destination in the slot, which the template sets, for an id that stands in a URL as it is. */
export function renderRedirect(content: CompiledContent, slot: DestinationSlot, id: string): string {
  const literals = content.redirects[slot] as Literals;
  return literals.length === 2 ? (literals[0] as string) + id + literals[1] : literals.join(id);
}

/** The item's `data` as JSON text, the id inserted as it is; null if the template sets none. */
function renderDataText(content: CompiledContent, id: string): string | null {
  return content.data?.join(JSON.stringify(id).slice(1, -1)) ?? null;
}

/** Everything an accepted id makes of the template. */
export function renderContent(content: CompiledContent, id: string): TemplateContent {
  const data = renderDataText(content, id);
  return {
    deep_link_path: renderDeepLinkPath(content, id),
    data: data === null ? null : (JSON.parse(data) as DataObject),
    redirects: renderRedirects(content, id),
    allow_param_passthrough: content.allow_param_passthrough,
  };
}
