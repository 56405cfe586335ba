/** One part of a process, and whether it works. The parts decide the status of `/health/ready` on an admin port. */
export interface PartHealth {
  readonly part: string;
  readonly ok: boolean;
  /** One sentence for the operator if `ok` is false; else empty. */
  readonly reason: string;
}
