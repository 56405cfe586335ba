import t from 'tap';
import { changeWhilePostgresIsAway, replacedFiles } from '../fault/release-scenarios.js';

t.test('an upgrade that begins while PostgreSQL is away, and a downgrade, fail no visit and lose no click', changeWhilePostgresIsAway);

t.test('a rolling restart stops when the files are of another release, and the running processes go on', replacedFiles);
