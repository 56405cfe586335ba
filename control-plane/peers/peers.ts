import { Beats } from '../../shared/base/beats.js';
import type { ControlPlaneRow } from './sql.js';

/** A row that has not changed for this long is that of a control plane that has ended. This is five beats. */
export const SILENT_MS = 10_000;

/** The part of a shared limit that this control plane may count: it is the `rank`-th of `count` control planes, starting at 0. */
export interface Share {
  readonly rank: number;
  readonly count: number;
}

export const ALONE: Share = { rank: 0, count: 1 };

/**
 * The running control planes, as one of them sees them: another one has ended if its row has not changed for long enough. A control plane
 * that cannot reach the database keeps its share.
 */
export class Peers {
  /** Id of this control plane. */
  readonly id: string;
  readonly #beats: Beats;
  #share: Share = ALONE;

  /** `now` returns monotonic milliseconds. */
  constructor(id: string, now: () => number) {
    this.id = id;
    this.#beats = new Beats(now);
  }

  get share(): Share {
    return this.#share;
  }

  /** Takes all rows as they are now, including the own one. Returns those whose control planes have ended. */
  observe(rows: readonly ControlPlaneRow[]): readonly ControlPlaneRow[] {
    this.#beats.observe(rows);
    const isSilent = ({ id }: ControlPlaneRow) => id !== this.id && this.#beats.stillMs(id) >= SILENT_MS;
    const ids = rows.filter((row) => !isSilent(row)).map(({ id }) => id);
    ids.sort();
    this.#share = { rank: Math.max(0, ids.indexOf(this.id)), count: Math.max(1, ids.length) };
    return rows.filter(isSilent);
  }
}
