/** A file cannot be read: why. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}
