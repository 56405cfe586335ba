import { BASE_PATH } from '../../shared/contract/route.js';

/** Which methods a path has, for 405, `Allow` and OPTIONS. Asked only where no route took the request. */
export interface RoutePattern {
  readonly segments: readonly string[];
  readonly method: string;
}

export function routePatterns(routes: readonly { readonly method: string; readonly path: string }[]): readonly RoutePattern[] {
  return routes.map(({ method, path }) => ({ method, segments: (BASE_PATH + path).split('/') }));
}

/** The methods of the path, HEAD and OPTIONS included; null where there is no such path. */
export function allowedMethods(patterns: readonly RoutePattern[], url: string): readonly string[] | null {
  const segments = (url.split('?', 1)[0] as string).split('/');
  const methods = new Set<string>();
  for (const pattern of patterns) if (matches(pattern.segments, segments)) methods.add(pattern.method);
  if (methods.size === 0) return null;
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')];
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}
