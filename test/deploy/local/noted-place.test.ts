import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { folderInside, notedPlace, reachableFolder } from '../../../deploy/local/noted-place.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** An empty DATA_DIR, with the folder for databases that are outside of it. */
function empty(t: Test) {
  const folder = temporaryFolder(t);
  const places = { dataDir: join(folder, 'data'), reachableDir: join(folder, 'reachable') };
  mkdirSync(places.dataDir);
  return { folder, places, note: join(places.dataDir, 'postgres-folder') };
}

/** Makes what identifies a cluster. */
function makeCluster(parent: string, id: string): void {
  mkdirSync(join(parent, 'data', 'global'), { recursive: true });
  writeFileSync(join(parent, 'data', 'global', 'pg_control'), `${id}, and more`);
}

t.test('without a note no place has been chosen, and the noted one is used as long as it exists', async (t) => {
  const { places, note } = empty(t);
  t.equal(notedPlace(note, places), null);
  for (const noted of [reachableFolder(places), folderInside(places)]) {
    writeFileSync(note, `${noted}\n`);
    mkdirSync(noted, { recursive: true });
    t.equal(notedPlace(note, places), noted, 'a start that was killed before there was a database goes on there');
    makeCluster(noted, 'cluster1');
    t.equal(notedPlace(note, places), noted);
  }
});

t.test('a database in DATA_DIR goes with it when it is moved or copied', async (t) => {
  const { folder, places, note } = empty(t);
  makeCluster(folderInside(places), 'cluster1');
  writeFileSync(note, folderInside(places));
  const copy = { ...places, dataDir: join(folder, 'copy') };
  cpSync(places.dataDir, copy.dataDir, { recursive: true });
  t.equal(notedPlace(join(copy.dataDir, 'postgres-folder'), copy), folderInside(copy));
  const moved = { ...places, dataDir: join(folder, 'moved') };
  renameSync(places.dataDir, moved.dataDir);
  t.equal(notedPlace(join(moved.dataDir, 'postgres-folder'), moved), folderInside(moved));
  rmSync(folderInside(moved), { recursive: true });
  t.equal(notedPlace(join(moved.dataDir, 'postgres-folder'), moved), null, 'without a database it begins like a new one');
});

t.test(
  'a database outside of DATA_DIR is found in the folder of databases that is set now, if it is the noted one or its copy',
  async (t) => {
    const { folder, places, note } = empty(t);
    const noted = reachableFolder(places);
    makeCluster(noted, 'cluster1');
    writeFileSync(note, noted);
    const elsewhere = { ...places, reachableDir: join(folder, 'elsewhere') };
    t.equal(notedPlace(note, elsewhere), noted, 'nothing was moved');
    makeCluster(reachableFolder(elsewhere), 'cluster2');
    t.equal(notedPlace(note, elsewhere), noted, 'another database is not the noted one');
    cpSync(places.reachableDir, elsewhere.reachableDir, { recursive: true });
    t.equal(notedPlace(note, elsewhere), reachableFolder(elsewhere), 'the copy');
    rmSync(places.reachableDir, { recursive: true });
    t.equal(notedPlace(note, elsewhere), reachableFolder(elsewhere), 'the moved one');
  },
);

t.test('a noted folder that is gone stops the start with one line that says what to do', async (t) => {
  const { places, note } = empty(t);
  writeFileSync(note, reachableFolder(places));
  t.throws(() => notedPlace(note, places), {
    name: 'StartError',
    message: /^\S+postgres-folder names \S+, which does not exist: put [^\n]+$/,
  });
});
