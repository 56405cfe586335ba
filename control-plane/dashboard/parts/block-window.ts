import { type RefObject, useEffect, useState } from 'react';
import { BlockHeights, type BlockRange } from './block-heights.js';

/** How far outside the window rows are already drawn, in pixels: more than the height of a window. */
const NEAR_PIXELS = 1500;

export interface BlockWindow {
  readonly near: BlockRange;
  readonly heights: BlockHeights;
}

interface BlockSizes {
  readonly blockRows: number;
  /** Height of a row while none is drawn, in pixels. */
  readonly guess: number;
}

/**
 * Finds the blocks of a long table that are near the window. Rows farther away need no elements of their own, so that the cost of a table
 * depends on the visible part and not on its length. A block is a `tbody` with its number in `data-block`, and with a `min-height` while
 * not all of its rows are drawn.
 */
export function useBlockWindow(table: RefObject<HTMLTableElement>, rows: number, { blockRows, guess }: BlockSizes): BlockWindow {
  const [heights] = useState(() => new BlockHeights(blockRows, guess));
  const [near, setNear] = useState<BlockRange>({ first: 0, end: 1 });
  useEffect(() => {
    let width = window.innerWidth;
    const look = () => {
      // The table is removed before its effects end.
      if (table.current === null) return;
      // Row heights change with the width of the window.
      if (window.innerWidth !== width) heights.clear();
      width = window.innerWidth;
      for (const body of table.current.tBodies) {
        const { block } = body.dataset;
        const isDrawn = block !== undefined && body.style.minHeight === '';
        if (isDrawn) heights.set(Number(block), body.rows.length, body.getBoundingClientRect().height);
      }
      const top = -table.current.getBoundingClientRect().top;
      const range = heights.between(top - NEAR_PIXELS, top + window.innerHeight + NEAR_PIXELS, rows);
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
  }, [table, rows, heights]);
  return { near, heights };
}
