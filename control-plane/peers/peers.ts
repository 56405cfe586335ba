import { Beats } from '../../shared/base/beats.js';
import type { ControlPlaneRow } from './sql.js';

/** A row that stands still for so long is one of a control plane that has ended: five beats. */
export const SILENT_MS = 10_000;

/** Which part of what is counted for all control planes this one may count: one of `count`, the `rank`-th. */
export interface Share {
  readonly rank: number;
  readonly count: number;
}

export const ALONE: Share = { rank: 0, count: 1 };

/**
 * The control planes that live, as one of them sees them: one has ended when its row has stood still for long enough. One that
 * cannot reach the database keeps the share it has.
 */
export class Peers {
  /** Id of this control plane. */
  readonly id: string;
  readonly #beats: Beats;
  #share: Share = ALONE;

  /** `now` gives monotonic milliseconds. */
  constructor(id: string, now: () => number) {
    this.id = id;
    this.#beats = new Beats(now);
  }

  get share(): Share {
    return this.#share;
  }

  /** All rows as they stand, the own one among them. Returns those that stand for nobody any more. */
  observe(rows: readonly ControlPlaneRow[]): readonly ControlPlaneRow[] {
    this.#beats.observe(rows);
    const isSilent = ({ id }: ControlPlaneRow) => id !== this.id && this.#beats.stillMs(id) >= SILENT_MS;
    const ids = rows.filter((row) => !isSilent(row)).map(({ id }) => id);
    ids.sort();
    this.#share = { rank: Math.max(0, ids.indexOf(this.id)), count: Math.max(1, ids.length) };
    return rows.filter(isSilent);
  }
}
