import t from 'tap';
import { UWS_MISSING } from '../../support/uws.js';
import { answers } from '../visit/answers-suite.js';
import { faults } from '../visit/fault-suite.js';
import { conformance } from './conformance.js';
import { wire } from './wire-suite.js';

if (UWS_MISSING === '') {
  answers('uws');
  conformance('uws');
  faults('uws');
  wire('uws');
} else t.plan(0, UWS_MISSING);
