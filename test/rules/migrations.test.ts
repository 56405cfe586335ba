import t from 'tap';
import { readTreeFile, treeFiles } from '../support/source-tree.js';
import { contractions } from './migration-contractions.js';

const MIGRATION = /^control-plane\/migrations\/\d{4}_.*\.sql$/;

/** Statements that take something away that no release uses, each with the reason. */
const UNUSED: Readonly<Record<string, string>> = {
  'control-plane/migrations/0003_click_shards.sql: ALTER TABLE click_batches DROP CONSTRAINT click_batches_pkey':
    'no statement has an ON CONFLICT on that table, and each batch has rows of several shards from then on',
  'control-plane/migrations/0034_days_of_partitions.sql: DO $$': 'it renames partitions, which are written and read by way of their table',
  'control-plane/migrations/0058_epochs_of_webhook_queues.sql: ALTER TABLE webhook_endpoints DROP COLUMN abandoned_until':
    'no release had the column',
  ...Object.fromEntries(
    [
      'TRIGGER tags_changed ON tags',
      'FUNCTION note_tag_change()',
      'TABLE click_day_tags',
      'TABLE click_tag_changes',
      'TABLE click_day_groups',
      'TABLE click_grouped_days',
    ].map((dropped) => [`control-plane/migrations/0061_columns_of_days.sql: DROP ${dropped}`, 'no release had it']),
  ),
};

t.test('a migration removes from the schema only what no supported release uses', async (t) => {
  const { version } = JSON.parse(readTreeFile('package.json')) as { version: string };
  const migrations = treeFiles().filter((file) => MIGRATION.test(file));
  t.ok(migrations.length > 0);
  t.same(
    migrations.flatMap((file) => contractions(readTreeFile(file), version).map((what) => `${file}: ${what}`)),
    Object.keys(UNUSED),
  );
});

t.test('a statement that breaks an older release is found, unless it is marked with an earlier last use', async (t) => {
  for (const statement of [
    'DROP TABLE links',
    'DROP INDEX links_path',
    'DROP FUNCTION f()',
    'ALTER TABLE links DROP COLUMN path',
    'ALTER TABLE links DROP path',
    'ALTER TABLE links RENAME TO routes',
    'ALTER TABLE links RENAME COLUMN path TO way',
    'ALTER TABLE links RENAME path TO way',
    "ALTER TYPE link_state RENAME VALUE 'a' TO 'b'",
    'ALTER TABLE links ALTER COLUMN path TYPE varchar(10)',
    'ALTER TABLE links ALTER path SET DATA TYPE varchar(10)',
    'ALTER TABLE links ALTER COLUMN path SET NOT NULL',
    'ALTER TABLE links ALTER COLUMN path DROP DEFAULT',
    'ALTER TABLE links ADD COLUMN way text NOT NULL',
    'ALTER TABLE links ADD way text NOT NULL',
    'ALTER TABLE links ADD COLUMN a integer NOT NULL DEFAULT 1, ADD COLUMN way text NOT NULL',
    "ALTER TABLE links ADD COLUMN way text CHECK (way <> '')",
    'ALTER TABLE links ADD COLUMN way text UNIQUE',
    'ALTER TABLE links ADD CONSTRAINT short CHECK (length(path) < 9)',
    'ALTER TABLE links ADD CONSTRAINT short CHECK (length(path) < 9) NOT VALID',
    'ALTER TABLE links ADD FOREIGN KEY (path) REFERENCES ways (path) NOT VALID',
    'ALTER TABLE links DROP CONSTRAINT short',
    'DO $$ BEGIN ALTER TABLE links DROP COLUMN path; END $$',
    'ALTER TABLE links ADD UNIQUE (path)',
    'ALTER TABLE links VALIDATE CONSTRAINT short',
    'CREATE UNIQUE INDEX links_path ON links (path)',
    'TRUNCATE links',
    'REVOKE SELECT ON links FROM service',
  ]) {
    t.equal(contractions(`${statement};`, '2.0.0').length, 1, statement);
    t.same(contractions(`-- contract: last used by release 1.9.0\n${statement};`, '2.0.0'), [], `marked: ${statement}`);
    t.equal(contractions(`-- contract: last used by release 2.0.0\n${statement};`, '2.0.0').length, 1, `too early: ${statement}`);
  }
});

t.test('a statement that does not affect an older release is permitted', async (t) => {
  for (const statement of [
    'CREATE TABLE ways (id text PRIMARY KEY, path text NOT NULL UNIQUE)',
    'CREATE TABLE ways (id text); ALTER TABLE ways ALTER COLUMN id SET NOT NULL; CREATE UNIQUE INDEX ON ways (id)',
    'CREATE TABLE IF NOT EXISTS ways (id text); ALTER TABLE ONLY ways ADD PRIMARY KEY (id)',
    'ALTER TABLE links ADD COLUMN way text',
    "ALTER TABLE links ADD COLUMN way text NOT NULL DEFAULT ''",
    'ALTER TABLE links ADD COLUMN way text GENERATED ALWAYS AS (lower(path)) STORED NOT NULL',
    'ALTER TABLE links ALTER COLUMN path DROP NOT NULL',
    'CREATE INDEX links_path ON links (path)',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE links; $$',
    "UPDATE links SET path = 'DROP TABLE links' -- DROP TABLE links",
  ])
    t.same(contractions(`${statement};`, '2.0.0'), [], statement);
});

/** The last migration before the first release. No installation had rows when it was added. */
const BEFORE_RELEASES = '0041';
const INDEX = /CREATE (?:UNIQUE )?INDEX\s+\w+ ON (\w+)/g;

/** The existing tables on which the migration creates an index without saying for how long it holds up writes. */
function unsaidIndexes(sql: string): readonly string[] {
  const tables = [...sql.matchAll(INDEX)].map(([, table = '']) => table);
  return tables.filter(
    (table) =>
      !new RegExp(`CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${table}\\b`).test(sql) &&
      !new RegExp(`^-- Holds up writes to ${table}: some \\d+ s for a million rows\\.`, 'm').test(sql),
  );
}

t.test('a migration that makes an index on an existing table says for how long it blocks writes', async (t) => {
  const later = treeFiles().filter((file) => MIGRATION.test(file) && file > `control-plane/migrations/${BEFORE_RELEASES}z`);
  t.same(
    later.flatMap((file) => unsaidIndexes(readTreeFile(file)).map((table) => `${file}: ${table}`)),
    [],
  );
  t.same(unsaidIndexes('CREATE INDEX a ON links (path);'), ['links']);
  t.same(unsaidIndexes('-- Holds up writes to links: some 3 s for a million rows.\nCREATE UNIQUE INDEX a ON links (path);'), []);
  t.same(unsaidIndexes('CREATE TABLE ways (id text);\nCREATE INDEX a ON ways (id);'), []);
});

t.test('statements of migrations are ASCII, because databases of another encoding than UTF-8 are migrated too', async (t) => {
  for (const file of treeFiles().filter((name) => MIGRATION.test(name))) {
    const statements = readTreeFile(file).replace(/--.*$/gm, '');
    t.notMatch(statements, /\P{ASCII}|\\u[0-9A-Fa-f]{4}|[uU]&'/u, file);
  }
});
