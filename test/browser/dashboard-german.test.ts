import t from 'tap';
import { germanTours } from './dashboard/german.js';
import { runTours } from './dashboard/run-tours.js';

// The dashboard in German, and in right-to-left layout.
await runTours(t, germanTours);
