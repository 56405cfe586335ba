/**
 * The lines of a stream of UTF-8, without their line breaks (LF or CRLF) and without a byte order mark at the beginning. Nothing else ends a
 * line: JSON may contain U+2028 and U+2029, which Node's `readline` takes for line breaks in some releases. A line longer than
 * `charactersMax` is cut to one character more than that, enough to be refused, so that a file without a line break does not fill the memory.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  charactersMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield withoutReturn(append(rest, text.slice(start, end), charactersMax));
      rest = '';
      start = end + 1;
    }
    rest = append(rest, text.slice(start), charactersMax);
  }
  rest = append(rest, decoder.decode(), charactersMax);
  if (rest !== '') yield withoutReturn(rest);
}

function append(kept: string, more: string, charactersMax: number): string {
  // A carriage return at the end is not part of the line, hence one more character.
  return (kept + more).slice(0, charactersMax + 2);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
