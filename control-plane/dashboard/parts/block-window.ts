import { type RefObject, useEffect, useState } from 'react';
import { BlockHeights, type BlockRange } from './block-heights.js';

/** Of the nearest rows that are drawn already: three windows of a large screen. */
const NEAR_PIXELS = 3000;

export interface BlockWindow {
  readonly near: BlockRange;
  readonly heights: BlockHeights;
  /** Takes the element of a block while it is drawn; null when it goes. */
  readonly hold: (block: number, element: HTMLElement | null) => void;
}

/**
 * Which blocks of a long list are near the window. What is far needs no element of its own, so that a list costs what is seen of it, however
 * long it is.
 */
export function useBlockWindow(list: RefObject<HTMLElement>, blocks: number, guess: number): BlockWindow {
  const [{ held, heights }] = useState(() => ({ held: new Map<number, HTMLElement>(), heights: new BlockHeights(guess) }));
  const [near, setNear] = useState<BlockRange>({ first: 0, end: 1 });
  useEffect(() => {
    let width = window.innerWidth;
    const look = () => {
      // The list goes before its effects are ended.
      if (list.current === null) return;
      // Rows of another width have other heights.
      if (window.innerWidth !== width) heights.clear();
      width = window.innerWidth;
      for (const [block, element] of held) heights.set(block, element.getBoundingClientRect().height);
      const top = -list.current.getBoundingClientRect().top;
      const range = heights.between(top - NEAR_PIXELS, top + window.innerHeight + NEAR_PIXELS, blocks);
      setNear((before) => (before.first === range.first && before.end === range.end ? before : range));
    };
    let frame = 0;
    const lookSoon = () => {
      if (frame === 0)
        frame = requestAnimationFrame(() => {
          frame = 0;
          look();
        });
    };
    look();
    window.addEventListener('scroll', lookSoon, { passive: true });
    window.addEventListener('resize', lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', lookSoon);
      window.removeEventListener('resize', lookSoon);
    };
  }, [list, blocks, held, heights]);
  const [hold] = useState(() => (block: number, element: HTMLElement | null) => {
    if (element === null) held.delete(block);
    else held.set(block, element);
  });
  return { near, heights, hold };
}
