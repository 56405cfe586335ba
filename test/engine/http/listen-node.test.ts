import { answers } from './answers-suite.js';
import { conformance } from './conformance.js';
import { faults } from './fault-suite.js';
import { wire } from './wire-suite.js';

answers('node');
conformance('node');
faults('node');
wire('node');
