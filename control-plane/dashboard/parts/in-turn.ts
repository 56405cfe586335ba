import { Children, type ReactNode, useEffect, useState } from 'react';

/** What is drawn on a processor a quarter as fast as usual within 100 ms: the browser answers the reader between two tasks. */
const ROWS_AT_ONCE = 20;

const waiting: (() => unknown)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) soon();
}

/** After the next frame: two pieces in one frame would be laid out and painted in one task. A page out of sight has no frames. */
function soon(): void {
  if (document.hidden) setTimeout(next);
  else requestAnimationFrame(() => setTimeout(next));
}

/** Runs what is handed to it in the order in which it comes, each in a task of its own. Returns how it is called off. */
export function inTurn(work: () => unknown): () => void {
  if (waiting.push(work) === 1) soon();
  return () => {
    const place = waiting.indexOf(work);
    // The first stays, as nothing: it has a task already.
    if (place > 0) waiting.splice(place, 1);
    else if (place === 0) waiting[0] = () => {};
  };
}

/** How many of so many rows are drawn by now: some at first, and more in turn, until it is all of them. Without rows it begins again. */
export function useDrawn(length: number, atOnce = ROWS_AT_ONCE): number {
  const [drawn, setDrawn] = useState(atOnce);
  useEffect(() => {
    if (length === 0) return setDrawn(atOnce);
    return drawn < length ? inTurn(() => setDrawn(drawn + atOnce)) : undefined;
  }, [drawn, length, atOnce]);
  return Math.min(drawn, length);
}

/** Draws its children from the first to the last, each in a task of its own. */
export function InTurn({ children }: { readonly children: ReactNode }): ReactNode {
  const parts = Children.toArray(children);
  return parts.slice(0, useDrawn(parts.length, 1));
}

/** The value as it was, and in turn as it is, if it is another object: what is drawn by it does not hold up what the reader does. */
export function useInTurn<Value>(value: Value): Value {
  const [shown, setShown] = useState(() => value);
  useEffect(() => inTurn(() => setShown(() => value)), [value]);
  return shown;
}
