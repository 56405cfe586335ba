import t from 'tap';
import { EventStreamParser } from '../../../shared/base/event-stream.js';
import fc from '../../support/properties.js';

/** Parses the stream in one piece, or in the pieces into which `cuts` divides it. */
function parse(text: string, cuts: readonly number[] = []) {
  const parser = new EventStreamParser();
  const places = [0, ...[...new Set(cuts)].sort((one, other) => one - other), text.length];
  const events = places.slice(1).flatMap((end, index) => parser.read(text.slice(places[index], end)));
  return { events, lastEventId: parser.lastEventId };
}

t.test('events are parsed as the standard says', async (t) => {
  for (const [text, events, lastEventId] of [
    ['data: a\n\n', [{ type: 'message', data: 'a', id: undefined }], undefined],
    ['event: click\nid: 7\ndata: a\ndata:b\n\n', [{ type: 'click', data: 'a\nb', id: '7' }], '7'],
    [': heartbeat\nid: 8\n\n', [], '8'],
    ['id: 8\n\ndata\n\n', [{ type: 'message', data: '', id: '8' }], '8'],
    ['event: x\n\ndata: y\n\n', [{ type: 'message', data: 'y', id: undefined }], undefined],
    ['id: 1\ndata: half', [], undefined],
    ['id: 1\ndata: half\n', [], undefined],
    ['retry: 10\nunknown: 1\nid: 1\0\n\n', [], undefined],
  ] as const)
    t.match(parse(text), { events, lastEventId }, JSON.stringify(text));
});

t.test('line ends and the borders of chunks make no difference', async () => {
  const text = ': x\nretry: 1\nid: 1\n\nevent: click\nid: 2\ndata: {"a":"ü"}\n\nid: 3\ndata: a\ndata: b\n\n';
  const whole = parse(text);
  fc.assert(
    fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(text.length * 2)), (lineEnd, cuts) => {
      // A carriage return at the end may be the first half of a line end, so that more has to follow before it counts.
      const written = `${text.replaceAll('\n', lineEnd)}: \n`;
      const { events, lastEventId } = parse(
        written,
        cuts.filter((cut) => cut < written.length),
      );
      return JSON.stringify({ events, lastEventId }) === JSON.stringify(whole);
    }),
  );
});
