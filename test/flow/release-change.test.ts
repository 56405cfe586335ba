import t from 'tap';
import { changeWhilePostgresIsAway, replacedFiles } from '../fault/release-scenarios.js';

t.test('a change of release, up while PostgreSQL is away and down again, fails no visit and loses no click', changeWhilePostgresIsAway);

t.test('a rolling restart onto the files of another release leaves the processes that serve in place', replacedFiles);
