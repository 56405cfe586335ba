/** The methods of paths, for 405, `Allow` and OPTIONS. Used only if no route has taken the request. */
export interface RoutePattern {
  readonly segments: readonly string[];
  readonly method: string;
}

/** Makes patterns of whole paths, which have parameters as `{name}`. */
export function routePatterns(routes: readonly { readonly method: string; readonly path: string }[]): readonly RoutePattern[] {
  return routes.map(({ method, path }) => ({ method, segments: path.split('/') }));
}

/**
 * Returns the methods of the path, including HEAD and OPTIONS; null if there is no such path. A literal path takes precedence
 * over one with a parameter: `/links/bulk` is not a link called "bulk".
 */
export function allowedMethods(patterns: readonly RoutePattern[], url: string): readonly string[] | null {
  const segments = (url.split('?', 1)[0] as string).split('/');
  const matching = patterns.filter((pattern) => matches(pattern.segments, segments));
  const fewest = Math.min(...matching.map(parameterCount));
  const methods = new Set(matching.filter((pattern) => parameterCount(pattern) === fewest).map((pattern) => pattern.method));
  if (methods.size === 0) return null;
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')];
}

/**
 * Returns literal paths with the methods for which a router, which looks at the method first, would take them for a path with a
 * parameter: `GET /links/bulk` for `GET /links/{link}`. The response to these must be 405.
 */
export function shadowedMethods(patterns: readonly RoutePattern[]): readonly RoutePattern[] {
  const shadowed = new Map<string, RoutePattern>();
  for (const { segments } of patterns) {
    const path = segments.join('/');
    const allowed = allowedMethods(patterns, path) ?? [];
    for (const { segments: others, method } of patterns)
      if (others.join('/') !== path && matches(others, segments) && !allowed.includes(method))
        shadowed.set(`${method} ${path}`, { segments, method });
  }
  return [...shadowed.values()];
}

function parameterCount({ segments }: RoutePattern): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}
