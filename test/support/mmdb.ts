/**
 * Returns a file in MaxMind's format 2.0 (https://maxmind.github.io/MaxMind-DB/), as small as possible: countries of
 * IPv4 networks. A place is written `DE`, or with region and city, `DE BE Berlin`.
 */
export function mmdbOf(networks: Readonly<Record<string, string>>): Buffer {
  const places = new Map<string, number>();
  const data: Buffer[] = [];
  let length = 0;
  for (const place of new Set(Object.values(networks))) {
    places.set(place, length);
    const [country = '', region, city] = place.split(' ');
    const entry = map([
      ['country', map([['iso_code', text(country)]])],
      ...(region === undefined ? [] : [['subdivisions', list([map([['iso_code', text(region)]])])] as const]),
      ...(city === undefined ? [] : [['city', map([['names', map([['en', text(city)]])]])] as const]),
    ]);
    data.push(entry);
    length += entry.length;
  }
  const nodes: [Branch, Branch][] = [[null, null]];
  for (const [network, country] of Object.entries(networks)) insert(nodes, network, places.get(country) as number);
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [number, branches] of nodes.entries())
    for (const [side, branch] of branches.entries()) tree.writeUIntBE(recordOf(branch, nodes.length), number * 6 + side * 3, 3);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, METADATA_MARK, metadata(nodes.length)]);
}

/** A node by its number, the position of data, or nothing. */
type Branch = { readonly node: number } | { readonly data: number } | null;

function recordOf(branch: Branch, nodes: number): number {
  if (branch === null) return nodes;
  return 'node' in branch ? branch.node : nodes + 16 + branch.data;
}

function insert(nodes: [Branch, Branch][], network: string, place: number): void {
  const [address = '', prefix = '32'] = network.split('/');
  const bits = address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
  let at = 0;
  for (let bit = 0; bit < Number(prefix); bit++) {
    const side = Math.floor(bits / 2 ** (31 - bit)) % 2 === 0 ? 0 : 1;
    const node = nodes[at] as [Branch, Branch];
    const next = node[side];
    if (bit === Number(prefix) - 1) node[side] = { data: place };
    else if (next !== null && 'node' in next) at = next.node;
    else {
      nodes.push([null, null]);
      node[side] = { node: nodes.length - 1 };
      at = nodes.length - 1;
    }
  }
}

const METADATA_MARK = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

function metadata(nodes: number): Buffer {
  return map([
    ['binary_format_major_version', number(5, 2)],
    ['binary_format_minor_version', number(5, 0)],
    ['build_epoch', number(9, 1)],
    ['database_type', text('Test-Country')],
    ['description', map([])],
    ['ip_version', number(5, 4)],
    ['languages', Buffer.from([0x00, 0x04])],
    ['node_count', number(6, nodes)],
    ['record_size', number(5, 24)],
  ]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([0x40 | bytes.length]), bytes]);
}

function map(entries: readonly (readonly [string, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xe0 | entries.length]), ...entries.flatMap(([name, value]) => [text(name), value])]);
}

/** An array is an extended type, 11. */
function list(entries: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([entries.length, 11 - 7]), ...entries]);
}

/** 5: 16 bits, 6: 32 bits, 9: 64 bits, which is an extended type. */
function number(type: 5 | 6 | 9, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  const length = type === 5 ? 2 : 4;
  const control = type === 9 ? [length, 9 - 7] : [(type << 5) | length];
  return Buffer.concat([Buffer.from(control), bytes.subarray(4 - length)]);
}
