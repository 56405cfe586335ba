/** A segment's file could not be read, as the system says: a fault of one file, for which no other has to wait. */
export class SegmentReadError extends Error {
  override readonly name = 'SegmentReadError';
  /** The file's name in the spool's folder. */
  readonly segment: string;

  constructor(segment: string, cause: NodeJS.ErrnoException) {
    super(`${segment} cannot be read: ${cause.code ?? cause.message}`, { cause });
    this.segment = segment;
  }
}
