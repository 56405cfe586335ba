import { PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { itemErrors } from '../links/bulk.js';
import type { ImportTarget } from './import-target.js';
import { type PlannedLink, withoutFields } from './plan-link.js';

/** Splits the plans into calls, each with as many passwords as a call may have. */
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

/** Turns a pointer into the body of a bulk call into one into the body of a single link. */
export function pointerOf({ pointer }: { readonly pointer: string }): string {
  return pointer.replace(/^\/links\/\d+/, '');
}

/** A plan without the fields that its creation would refuse. */
interface JudgedPlan {
  readonly plan: PlannedLink;
  /** Whether it would be refused as a whole. */
  readonly isRefused: boolean;
}

/** The plans without what the checks of a link's creation would refuse. */
export async function withoutRefused(
  plans: readonly PlannedLink[],
  { database, environmentId, nowMs }: Pick<ImportTarget, 'database' | 'environmentId' | 'nowMs'>,
): Promise<readonly JudgedPlan[]> {
  const judged = plans.map((plan): JudgedPlan => ({ plan, isRefused: false }));
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
      if (pointers.length === 0) return [];
      const fewer = withoutFields(plan, pointers);
      judged[place] = { plan: fewer ?? plan, isRefused: fewer === null };
      return fewer === null ? [] : { place, plan: fewer };
    });
  }
  return judged;
}
