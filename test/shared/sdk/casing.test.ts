import t from 'tap';
import { camelPointer, OPAQUE_MEMBERS, toCamel, toSnake } from '../../../shared/sdk/casing.js';
import { readDocument } from '../../../shared/sdk/types-document.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

/** Every member of every schema, with its schema. */
function members(value: unknown, found: [string, Schema][] = []): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    // A member may itself be called "properties", "example" or anything else.
    if (key === 'properties')
      for (const [name, schema] of Object.entries(member as Record<string, Schema>)) {
        found.push([name, schema]);
        members(schema, found);
      }
    else if (!['example', 'examples'].includes(key)) members(member, found);
  }
  return found;
}

const { paths, components } = readDocument();
const MEMBERS = members({ paths, components });

t.test('every name in the document is the same after conversion to camel case and back', async (t) => {
  t.ok(MEMBERS.length > 500);
  for (const [name] of MEMBERS) t.same(toSnake(toCamel({ [name]: 1 })), { [name]: 1 }, name);
});

t.test('exactly the objects without named members in the document are left unconverted', async (t) => {
  const unnamed = MEMBERS.filter(
    ([, { type, properties, $ref }]) => [type].flat().includes('object') && properties === undefined && $ref === undefined,
  );
  t.same([...new Set(unnamed.map(([name]) => name))].sort(), [...OPAQUE_MEMBERS].sort());
});

t.test('names are converted at every depth, and names that customers chose are not', async (t) => {
  const answer = {
    deep_link_path: '/',
    data: { my_key: { other_key: 1 } },
    results: [{ link: { created_at: 'x' } }],
    previews: { p95_bucket: null },
    sha256_cert_fingerprints: ['a_b'],
  };
  const camel = {
    deepLinkPath: '/',
    data: { my_key: { other_key: 1 } },
    results: [{ link: { createdAt: 'x' } }],
    previews: { p95Bucket: null },
    sha256CertFingerprints: ['a_b'],
  };
  t.same(toCamel(answer), camel);
  t.same(toSnake(camel), answer);
  t.same(toCamel({ data: [{ created_at: 1, data: { my_key: 1 } }], next_cursor: null }), {
    data: [{ createdAt: 1, data: { my_key: 1 } }],
    nextCursor: null,
  });
  t.equal(JSON.stringify(toSnake({ expiresAt: new Date(0) })), '{"expires_at":"1970-01-01T00:00:00.000Z"}');
});

t.test('a pointer into a body is converted to the names that the caller used', async (t) => {
  for (const [pointer, camel] of [
    ['', ''],
    ['/', '/'],
    ['/deep_link_path', '/deepLinkPath'],
    ['/links/3/destinations/app_store_url', '/links/3/destinations/appStoreUrl'],
    ['/field_mapping/image_url', '/fieldMapping/imageUrl'],
    ['/links/0/data/my_key/other_key', '/links/0/data/my_key/other_key'],
    ['/headers/x_api_key', '/headers/x_api_key'],
    ['/first_item/data/a_b~1c_d', '/firstItem/data/a_b~1c_d'],
  ] as const)
    t.equal(camelPointer(pointer), camel);
});
