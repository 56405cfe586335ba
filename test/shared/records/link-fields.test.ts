import t from 'tap';
import { EVENT_DATA_SCHEMAS } from '../../../shared/contract/schemas/events.js';
import { linkCreateSchema, linkPatchSchema, linkSchema } from '../../../shared/contract/schemas/link.js';
import { LINK_RECORD_COLUMNS } from '../../../shared/feed/codec.js';
import { LINK_FIELD_NAMES, LINK_FIELDS, linkFieldNames } from '../../../shared/records/link-fields.js';

const members = (schema: unknown) => (schema as { properties: Record<string, { type: string | string[]; maxLength?: number }> }).properties;

t.test('every field of a link is in the schemas of links, of their creation and change, and of their events', async (t) => {
  for (const schema of [linkSchema, linkCreateSchema, linkPatchSchema, EVENT_DATA_SCHEMAS['link.created']]) {
    // A link says whether it has a password, and does not show it.
    const names = Object.keys(members(schema)).map((name) => (name === 'has_password' ? 'password' : name));
    t.same(
      LINK_FIELD_NAMES.filter((name) => !names.includes(name)),
      [],
    );
  }
});

t.test('a field without a default can be cleared, and a text is limited to the length of its field', async (t) => {
  for (const name of LINK_FIELD_NAMES) {
    const field = LINK_FIELDS[name];
    const schema = members(linkPatchSchema)[name];
    t.equal(
      [schema?.type].flat().includes('null'),
      !('default' in field) || name === 'destinations' || name === 'tags' || name === 'aliases',
      name,
    );
    if ('characters_max' in field) t.equal(schema?.maxLength, field.characters_max, name);
  }
});

t.test('the engine reads exactly the fields that visits need', async (t) => {
  for (const name of LINK_FIELD_NAMES) t.equal(LINK_RECORD_COLUMNS.includes(`links.${name}`), LINK_FIELDS[name].visits, name);
  t.same(linkFieldNames({ visits: false }), ['domain', 'aliases', 'title', 'tags', 'comments', 'archived']);
});
