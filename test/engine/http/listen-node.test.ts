import { conformance } from './conformance.js';
import { faults } from './fault-suite.js';
import { wire } from './wire-suite.js';

conformance('node');
faults('node');
wire('node');
