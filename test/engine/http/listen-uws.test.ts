import { conformance } from './conformance.js';
import { faults } from './fault-suite.js';

conformance('uws');
faults('uws');
