import { conformance } from './conformance.js';
import { faults } from './fault-suite.js';
import { wire } from './wire-suite.js';

conformance('uws');
faults('uws');
wire('uws');
