import type { ReactNode } from 'react';
import { Time } from '../format/time.js';

/** A line of a list of facts (`<dl className="facts">`). */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A fact that is a time. Shows nothing if there is no time. */
export function TimeFact({ label, at }: { readonly label: string; readonly at: string | null }) {
  if (at === null) return null;
  return (
    <Fact label={label}>
      <Time at={at} />
    </Fact>
  );
}
