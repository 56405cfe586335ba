import t from 'tap';
import { hasPair } from '../support/postgres-pair.js';
import { installationKilled } from './installation.js';

if (hasPair(t))
  t.test('an installation of three engine hosts whose parts are killed for ten minutes loses no click, no link and no event', (t) =>
    installationKilled(t, { seed: Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000), seconds: 600 }),
  );
