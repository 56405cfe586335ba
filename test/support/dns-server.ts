import { createSocket } from 'node:dgram';

/** TXT records, each as a list of its strings. */
type TxtRecords = readonly (readonly string[])[];

export interface HostRecords {
  readonly cname?: string;
  /** IPv4. */
  readonly addresses?: readonly string[];
}

/** What the server answers for a name: its records; or that there is no name, no record, a fault; or nothing at all. */
export type Zone = Map<string, TxtRecords | HostRecords | 'nxdomain' | 'nodata' | 'servfail' | 'silent'>;

export interface DnsServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly zone: Zone;
  /** Names that were queried, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const RCODES = { nxdomain: 3, servfail: 2, nodata: 0 } as const;

/** Starts a DNS server (RFC 1035) on UDP that knows TXT, A and CNAME records. What is not in its zone does not exist. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone: Zone = new Map();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12);
    asked.push(name);
    const known = zone.get(name) ?? 'nxdomain';
    if (known === 'silent') return;
    const records = typeof known === 'string' ? [] : recordsOf(known, query.readUInt16BE(end));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (typeof known === 'string' ? RCODES[known] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address);
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

/** RFC 1035, section 3.2.2. */
const TYPES = { a: 1, cname: 5, txt: 16 } as const;

/** Returns the records of the requested type. */
function recordsOf(known: TxtRecords | HostRecords, type: number): readonly Buffer[] {
  if (!('cname' in known || 'addresses' in known)) return type === TYPES.txt ? (known as TxtRecords).map(txtRecord) : [];
  const { cname, addresses = [] } = known;
  if (type === TYPES.a) return addresses.map((address) => record(TYPES.a, Buffer.from(address.split('.').map(Number))));
  return type === TYPES.cname && cname !== undefined ? [record(TYPES.cname, nameBytes(cname))] : [];
}

const counted = (text: string) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
const nameBytes = (name: string) => Buffer.concat([...name.split('.').map(counted), Buffer.from([0])]);
const txtRecord = (strings: readonly string[]) => record(TYPES.txt, Buffer.concat(strings.map(counted)));

/** Class IN, a TTL of one minute, and a pointer to the question's name. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
