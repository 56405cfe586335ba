import { answers } from '../visit/answers-suite.js';
import { faults } from '../visit/fault-suite.js';
import { conformance } from './conformance.js';
import { wire } from './wire-suite.js';

answers('node');
conformance('node');
faults('node');
wire('node');
