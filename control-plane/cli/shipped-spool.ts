/** The outcome of shipping a spool. */
export interface ShippedSpool {
  readonly clicks: number;
  /** Clicks that the click log refused; their files are in the folder `quarantine`. */
  readonly refused: number;
  readonly segments: number;
  readonly quarantined: number;
  /** Files that could not be read, or that a different release has to read. */
  readonly left: number;
}

/** Ships a spool. Throws a `CommandError` if the folder is not the spool of an engine that has ended. */
export type ShipSpool = (dir: string, onClicks: (clicks: number) => void) => Promise<ShippedSpool>;
