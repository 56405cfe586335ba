import { createSocket } from 'node:dgram';

/** What the server says of a name: TXT records, each as its strings; or that there is no name, no record, a fault, or nothing at all. */
export type Zone = Map<string, readonly (readonly string[])[] | 'nxdomain' | 'nodata' | 'servfail' | 'silent'>;

export interface DnsServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly zone: Zone;
  /** Names that were asked for, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const RCODES = { nxdomain: 3, servfail: 2, nodata: 0 } as const;

/** A DNS server (RFC 1035) on UDP that knows TXT records and nothing else; what is not in its zone does not exist. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone: Zone = new Map();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12);
    asked.push(name);
    const known = zone.get(name) ?? 'nxdomain';
    if (known === 'silent') return;
    const records = typeof known === 'string' ? [] : known;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (typeof known === 'string' ? RCODES[known] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records.map(txtRecord)]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readName(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] as number; length !== 0; length = message[at] as number) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Class IN, a minute to live, the question's name by a pointer to it. */
function txtRecord(strings: readonly string[]): Buffer {
  const data = Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])));
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
