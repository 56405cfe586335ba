import { PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { itemErrors } from '../links/bulk.js';
import type { ImportTarget } from './import-target.js';
import { type PlannedLink, withoutFields } from './plan-link.js';

/** The plans of one call after the other, each with as many passwords as it takes. */
export function* callsOf(plans: readonly PlannedLink[]): Iterable<readonly PlannedLink[]> {
  for (let from = 0; from < plans.length; ) {
    let passwords = 0;
    const past = plans.findIndex(
      ({ body }, index) => index >= from && typeof body.password === 'string' && ++passwords > PASSWORDS_OF_BULK_MAX,
    );
    const to = past === -1 ? plans.length : past;
    yield plans.slice(from, to);
    from = to;
  }
}

/** A path of the call's body, as one of a single link. */
export function pointerOf({ pointer }: { readonly pointer: string }): string {
  return pointer.replace(/^\/links\/\d+/, '');
}

/**
 * What each of the links lacks, by the checks of its creation: they exist already, and the run that made them may have
 * ended before it said so. A refusal that would have kept the link from being made is none of it.
 */
export async function lostOf(
  plans: readonly PlannedLink[],
  { database, environmentId, nowMs }: Pick<ImportTarget, 'database' | 'environmentId' | 'nowMs'>,
): Promise<readonly (readonly string[])[]> {
  const lost = plans.map((plan) => plan.lost);
  let left = plans.map((plan, place) => ({ place, plan }));
  while (left.length > 0) {
    const errors: (readonly FieldError[])[] = [];
    for (const call of callsOf(left.map(({ plan }) => plan)))
      errors.push(
        ...(await itemErrors(
          call.map(({ body }) => body),
          { environmentId, nowMs: nowMs() },
          database,
        )),
      );
    left = left.flatMap(({ place, plan }, index) => {
      const pointers = (errors[index] ?? []).map(pointerOf);
      const fewer = pointers.length === 0 ? null : withoutFields(plan, pointers);
      if (fewer === null) return [];
      lost[place] = fewer.lost;
      return { place, plan: fewer };
    });
  }
  return lost;
}
