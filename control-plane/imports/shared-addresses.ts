import { aliasPath } from '../../shared/resolve/normal-path.js';
import { aliasPaths } from '../links/aliases.js';
import type { Attempt } from './attempt.js';
import type { PlannedLink } from './plan-link.js';

/** The paths of a link to create, in the form in which they are compared. Their hosts are left out: a path may count on each of them. */
interface WantedPaths {
  readonly own: string | undefined;
  readonly aliases: readonly string[];
}

function wantedPaths({ body }: PlannedLink): WantedPaths {
  return { own: body.path, aliases: aliasPaths(body.aliases).map((path) => aliasPath(`/${path}`) ?? path) };
}

/** The plans that may be in the way of another one of them, because both have the same path. */
export function contestedPlans(plans: readonly PlannedLink[]): ReadonlySet<PlannedLink> {
  const firstAt = new Map<string, PlannedLink>();
  const contested = new Set<PlannedLink>();
  for (const plan of plans) {
    const { own, aliases } = wantedPaths(plan);
    for (const path of own === undefined ? aliases : [own, ...aliases]) {
      const first = firstAt.get(path);
      if (first === undefined) firstAt.set(path, plan);
      else if (first !== plan) contested.add(first).add(plan);
    }
  }
  return contested;
}

/**
 * The attempts that have to wait until an earlier one is decided, because that one may still become an alias, and these would take its
 * address before. Two links that only want the same path need not wait for each other: if it is taken for the first one, it is taken for
 * the second one as well.
 */
export function heldBack(attempts: readonly Attempt[]): ReadonlySet<Attempt> {
  const held = new Set<Attempt>();
  const paths = { own: new Set<string>(), aliases: new Set<string>(), held: new Set<string>() };
  for (const attempt of attempts) {
    const { own, aliases } = wantedPaths(attempt.plan);
    const waits =
      (own !== undefined && (paths.aliases.has(own) || paths.held.has(own))) ||
      aliases.some((path) => paths.aliases.has(path) || paths.own.has(path));
    if (waits) held.add(attempt);
    if (own !== undefined) paths.own.add(own);
    if (own !== undefined && waits) paths.held.add(own);
    for (const path of aliases) paths.aliases.add(path);
  }
  return held;
}
