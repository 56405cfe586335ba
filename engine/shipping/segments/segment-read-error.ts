/** The system failed to read a segment's file. The fault concerns one file, so the others need not wait. */
export class SegmentReadError extends Error {
  override readonly name = 'SegmentReadError';
  /** The file's name in the spool's folder. */
  readonly segment: string;

  constructor(segment: string, cause: NodeJS.ErrnoException) {
    super(`${segment} cannot be read: ${cause.code ?? cause.message}`, { cause });
    this.segment = segment;
  }
}
