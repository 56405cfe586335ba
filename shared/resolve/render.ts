import { bySlot, type DestinationSlot, type Destinations } from '../records/records.js';
import { encodeForPath, encodeForUrl, splitAtId } from './placeholders.js';

/** An app's own object, as it came in a request body. */
export type DataObject = Readonly<Record<string, unknown>>;

/** The parts of a template that are rendered for an item, or their rendered form, which the item's visitors and apps get. */
export interface TemplateContent {
  readonly deep_link_path: string;
  /** Null if the template sets none. */
  readonly data: DataObject | null;
  readonly redirects: Destinations;
  readonly allow_param_passthrough: boolean;
}

/** Texts between the ids; null if there is nothing to render. */
type Literals = readonly string[];

/** A template's content, split once so that rendering is joining. */
export interface CompiledContent {
  /** The route up to `?` or `#`, where an id is part of a path. */
  readonly route: Literals;
  /** The rest of the deep link path, where an id is a value. */
  readonly route_end: Literals;
  /** The object as JSON text. */
  readonly data: Literals | null;
  readonly redirects: { readonly [Slot in DestinationSlot]: Literals | null };
  readonly allow_param_passthrough: boolean;
}

/** Splits the JSON of a value at the placeholders in its texts. Keys are the app's own names and stay as they are. */
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
 * anywhere, so it is filled in here, once.
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

/** The template's own destinations for the item. The id is percent-encoded and changes neither scheme nor host. */
export function renderRedirects(content: CompiledContent, id: string): Destinations {
  const encoded = encodeForUrl(id);
  return bySlot((slot) => content.redirects[slot]?.join(encoded) ?? null);
}

/** The destination in the slot, which the template sets, for an id that needs no escape in a URL. */
export function renderRedirect(content: CompiledContent, slot: DestinationSlot, id: string): string {
  const literals = content.redirects[slot] as Literals;
  return literals.length === 2 ? (literals[0] as string) + id + literals[1] : literals.join(id);
}

/** The item's `data` as JSON text, with the id not percent-encoded; null if the template sets none. */
function renderDataText(content: CompiledContent, id: string): string | null {
  return content.data?.join(JSON.stringify(id).slice(1, -1)) ?? null;
}

/** Renders everything in the template for an accepted id. */
export function renderContent(content: CompiledContent, id: string): TemplateContent {
  const data = renderDataText(content, id);
  return {
    deep_link_path: renderDeepLinkPath(content, id),
    data: data === null ? null : (JSON.parse(data) as DataObject),
    redirects: renderRedirects(content, id),
    allow_param_passthrough: content.allow_param_passthrough,
  };
}
