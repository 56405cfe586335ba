/** What an engine says of itself in its row of `engines`, every two seconds. For the operator: reasons speak of the network. */
export interface EngineReport {
  readonly processes: readonly {
    /** `redirect-0`, `background`. */
    readonly name: string;
    /** Whether it serves and has been heard of. */
    readonly ok: boolean;
    /** Absent if it is well. */
    readonly reason?: string;
    /** How often another one had to be started because it ended unasked. */
    readonly restarts: number;
  }[];
  readonly parts: readonly {
    /** `background/clicks`: the process, and what it does. */
    readonly part: string;
    readonly ok: boolean;
    /** Absent if it is well. */
    readonly reason?: string;
  }[];
  /** Clicks on their way into the click log; null while the part that ships them has not started. */
  readonly spool: {
    readonly pending_bytes: number;
    /** Clicks that were lost because the spool was full or the disk refused, over all time. */
    readonly dropped_clicks: number;
  } | null;
}
