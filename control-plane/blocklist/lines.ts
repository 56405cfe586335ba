/**
 * The lines of a stream of UTF-8, without their breaks (LF or CRLF). Of a line longer than `charactersMax` only one
 * character more than that is kept, enough to be refused: a file without a line break takes no memory.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, charactersMax: number): AsyncGenerator<string> {
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
  // A carriage return at the end is not the line's, hence one more character again.
  return (kept + more).slice(0, charactersMax + 2);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
