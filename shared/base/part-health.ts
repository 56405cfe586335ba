/** One part of a process, and whether it does its work: what decides `/health/ready` of an admin port. */
export interface PartHealth {
  readonly part: string;
  readonly ok: boolean;
  /** One sentence for the operator if `ok` is false; else empty. */
  readonly reason: string;
}
