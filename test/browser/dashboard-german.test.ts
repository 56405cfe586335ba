import t from 'tap';
import { germanTours } from './dashboard/german.js';
import { runTours } from './dashboard/run-tours.js';

// The dashboard in German, and from right to left.
await runTours(t, germanTours);
