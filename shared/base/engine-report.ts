/**
 * What an engine reports about itself in its row of `engines`, every two seconds. It is for the operator, because
 * reasons reveal details of the network.
 */
export interface EngineReport {
  readonly processes: readonly {
    /** `redirect-0`, `background`. */
    readonly name: string;
    /** Whether it serves and has been heard from. */
    readonly ok: boolean;
    /** Absent if it is well. */
    readonly reason?: string;
    /** How often the process was started again because it ended unexpectedly. */
    readonly restarts: number;
  }[];
  readonly parts: readonly {
    /** The process and its task, such as `background/clicks`. */
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
