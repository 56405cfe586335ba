import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { folderInside, notedPlace, noteOwner, reachableFolder } from '../../../deploy/local/noted-place.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** An empty DATA_DIR, with the folder for databases that are outside of it. */
function empty(t: Test) {
  const folder = temporaryFolder(t);
  const places = { dataDir: join(folder, 'data'), reachableDir: join(folder, 'reachable') };
  mkdirSync(places.dataDir);
  return { folder, places, note: join(places.dataDir, 'postgres-folder') };
}

/** Makes what identifies a cluster, and its state after a clean stop. */
function makeCluster(parent: string, id: string, { state = 1, run = 'first' } = {}): void {
  mkdirSync(join(parent, 'data', 'global'), { recursive: true });
  writeFileSync(join(parent, 'data', 'global', 'pg_control'), `${id}versions${String.fromCharCode(state)}\0\0\0${run}`);
}

/** Where the original and its copy can be, what happens to them, and which database the start of one of them then has. */
function rehearsal(t: Test, hasNotedOwner: boolean) {
  const folder = temporaryFolder(t);
  const at = (name: string) => join(folder, name);
  for (const name of ['data', 'big']) mkdirSync(at(name));
  const name = basename(reachableFolder({ dataDir: at('data'), reachableDir: at('big') }));
  const database = (parent: string) => join(at(parent), name);
  makeCluster(database('big'), 'cluster1');
  writeFileSync(at('data/postgres-folder'), database('big'));
  if (hasNotedOwner) noteOwner(database('big'), { dataDir: at('data') });
  return {
    at,
    database,
    copy: (from: string, to: string) => cpSync(at(from), at(to), { recursive: true }),
    move: (from: string, to: string) => renameSync(at(from), at(to)),
    remove: (path: string) => rmSync(at(path), { recursive: true }),
    /** The database of a folder runs after everything that has happened to it. */
    run: (parent: string, state = 1) => makeCluster(database(parent), 'cluster1', { state, run: 'later' }),
    /** Starts on a DATA_DIR, and notes what a start notes. */
    start(dataDir: string, reachable: string): string {
      const places = { dataDir: at(dataDir), reachableDir: at(reachable) };
      const note = join(places.dataDir, 'postgres-folder');
      const place = notedPlace(note, places) ?? 'none';
      writeFileSync(note, place);
      noteOwner(place, places);
      return place;
    },
  };
}

type Rehearsal = ReturnType<typeof rehearsal>;

interface Case {
  readonly name: string;
  /** Returns the DATA_DIR that is started, and EMBEDDED_POSTGRES_DIR. */
  readonly happens: (given: Rehearsal) => readonly [dataDir: string, reachable: string];
  /** The folder that has the database; null if the start stops, because it belongs to another DATA_DIR. */
  readonly has: string | null;
  /** Whether this needs the owner that releases before this one did not note. */
  readonly needsOwner?: true;
}

const CASES: readonly Case[] = [
  { name: 'nothing has happened', happens: () => ['data', 'big'], has: 'big' },
  { name: 'EMBEDDED_POSTGRES_DIR has changed, and nothing is there', happens: () => ['data', 'default'], has: 'big' },
  {
    name: 'an old copy of the database is where EMBEDDED_POSTGRES_DIR says',
    happens: ({ copy, run }) => {
      copy('big', 'default');
      run('big');
      return ['data', 'default'];
    },
    has: 'big',
  },
  {
    name: 'a copy that was made while the database ran is where EMBEDDED_POSTGRES_DIR says',
    happens: ({ copy, run }) => {
      run('big', 6);
      copy('big', 'default');
      return ['data', 'default'];
    },
    has: 'big',
  },
  {
    name: 'the stopped database was copied to where EMBEDDED_POSTGRES_DIR says',
    happens: ({ copy }) => {
      copy('big', 'default');
      return ['data', 'default'];
    },
    has: 'default',
  },
  {
    name: 'the database was moved',
    happens: ({ move }) => {
      move('big', 'default');
      return ['data', 'default'];
    },
    has: 'default',
  },
  {
    name: 'DATA_DIR was moved',
    happens: ({ move }) => {
      move('data', 'moved');
      return ['moved', 'default'];
    },
    has: 'big',
  },
  {
    name: 'DATA_DIR was moved, and a new one is in its place',
    needsOwner: true,
    happens: ({ at, move, start }) => {
      move('data', 'moved');
      mkdirSync(at('data'));
      makeCluster(at('big/another'), 'cluster2');
      writeFileSync(at('data/postgres-folder'), at('big/another'));
      start('data', 'big');
      return ['moved', 'big'];
    },
    has: 'big',
  },
  {
    name: 'DATA_DIR and the database were moved',
    happens: ({ move }) => {
      move('data', 'moved');
      move('big', 'default');
      return ['moved', 'default'];
    },
    has: 'default',
  },
  {
    name: 'DATA_DIR is reached by another path',
    happens: ({ at }) => {
      symlinkSync(at('data'), at('link'));
      return ['link', 'big'];
    },
    has: 'big',
  },
  {
    name: 'DATA_DIR was copied whole',
    needsOwner: true,
    happens: ({ copy }) => {
      copy('data', 'copy');
      return ['copy', 'big'];
    },
    has: null,
  },
  {
    name: 'DATA_DIR was copied whole, and the original is gone',
    happens: ({ copy, remove }) => {
      copy('data', 'copy');
      remove('data');
      return ['copy', 'big'];
    },
    has: 'big',
  },
  {
    name: 'the original was moved, and the copy that took its place has started',
    needsOwner: true,
    happens: ({ copy, move, start }) => {
      move('data', 'moved');
      copy('moved', 'data');
      start('data', 'big');
      return ['moved', 'big'];
    },
    has: null,
  },
  {
    name: 'DATA_DIR and the folder of databases were copied, and the original has run since',
    happens: ({ copy, run }) => {
      copy('data', 'copy');
      copy('big', 'default');
      run('big');
      return ['copy', 'default'];
    },
    has: 'default',
  },
  {
    name: 'both were copied, and the copy is started without EMBEDDED_POSTGRES_DIR',
    needsOwner: true,
    happens: ({ copy }) => {
      copy('data', 'copy');
      copy('big', 'default');
      return ['copy', 'big'];
    },
    has: null,
  },
  {
    name: 'the copy of the database was noted by hand, with the same name, and the folder of databases is that of the original',
    needsOwner: true,
    happens: ({ at, copy, database }) => {
      copy('data', 'copy');
      copy('big', 'elsewhere');
      writeFileSync(at('copy/postgres-folder'), database('elsewhere'));
      return ['copy', 'big'];
    },
    has: 'elsewhere',
  },
  {
    name: 'the copy has started, and now the original starts',
    happens: ({ copy, start }) => {
      copy('data', 'copy');
      copy('big', 'default');
      start('copy', 'default');
      return ['data', 'default'];
    },
    has: 'big',
  },
];

for (const { name, happens, has, needsOwner } of CASES)
  for (const hasNotedOwner of needsOwner ? [true] : [true, false])
    t.test(`which database a start has: ${name}${hasNotedOwner ? '' : ', after an earlier release'}`, async (t) => {
      const given = rehearsal(t, hasNotedOwner);
      const [dataDir, reachable] = happens(given);
      if (has === null) t.throws(() => given.start(dataDir, reachable), { name: 'StartError', message: /belongs to the DATA_DIR/ });
      else t.equal(given.start(dataDir, reachable), given.database(has));
    });

t.test('the commands of the message give a copy of DATA_DIR its own copy of the database, and leave the original alone', async (t) => {
  const { at, copy, database, start } = rehearsal(t, true);
  for (const name of ['copy', 'copy of the copy']) {
    copy('data', name);
    let message = '';
    try {
      start(name, 'big');
    } catch (error) {
      message = (error as Error).message;
    }
    t.notMatch(message, '\n');
    execFileSync('/bin/sh', ['-c', message.slice(message.indexOf('cp -a'))]);
    const made = start(name, 'big');
    t.equal(made, reachableFolder({ dataDir: at(name), reachableDir: at('big') }));
    t.equal(
      readFileSync(join(made, 'data/global/pg_control'), 'utf8'),
      readFileSync(join(database('big'), 'data/global/pg_control'), 'utf8'),
    );
    t.equal(start('data', 'big'), database('big'));
  }
});

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
