import { Children, type ReactNode, useEffect, useState } from 'react';

/** As many rows as a processor a quarter as fast as usual draws within 100 ms. The browser responds to input between two tasks. */
const ROWS_AT_ONCE = 20;

const waiting: (() => unknown)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) soon();
}

/** Waits for the next frame, because two pieces in one frame would be laid out and painted in one task. A hidden page has no frames. */
function soon(): void {
  if (document.hidden) setTimeout(next);
  else requestAnimationFrame(() => setTimeout(next));
}

/** Runs pieces of work in the order in which they are passed, each in a separate task. Returns a function that cancels the piece. */
export function inTurn(work: () => unknown): () => void {
  if (waiting.push(work) === 1) soon();
  return () => {
    const place = waiting.indexOf(work);
    // A task is already scheduled for the first piece, so it is replaced by one that does nothing.
    if (place > 0) waiting.splice(place, 1);
    else if (place === 0) waiting[0] = () => {};
  };
}

/**
 * How many of so many rows to draw now: some at first, and then more in turn, until it is all of them. Starts again after there were no
 * rows.
 */
export function useDrawn(length: number, atOnce = ROWS_AT_ONCE): number {
  const [drawn, setDrawn] = useState(atOnce);
  useEffect(() => {
    if (length === 0) return setDrawn(atOnce);
    return drawn < length ? inTurn(() => setDrawn(drawn + atOnce)) : undefined;
  }, [drawn, length, atOnce]);
  return Math.min(drawn, length);
}

/** Draws its children one after the other, each in a separate task. */
export function InTurn({ children }: { readonly children: ReactNode }): ReactNode {
  const parts = Children.toArray(children);
  return parts.slice(0, useDrawn(parts.length, 1));
}

/**
 * Returns the old value until the new one gets its turn, if it is a different object. What is drawn from it does not delay the response to
 * input.
 */
export function useInTurn<Value>(value: Value): Value {
  const [shown, setShown] = useState(() => value);
  useEffect(() => inTurn(() => setShown(() => value)), [value]);
  return shown;
}
