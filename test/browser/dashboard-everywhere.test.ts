import t from 'tap';
import { analyticsTours } from './dashboard/analytics.js';
import { anywhereTours } from './dashboard/anywhere.js';
import { everyScreenTours, longValuesTours } from './dashboard/every-screen.js';
import { failureTours } from './dashboard/failures.js';
import { keyboardTours } from './dashboard/keyboard.js';
import { mainActionsTours } from './dashboard/main-actions.js';
import { runTours } from './dashboard/run-tours.js';
import { screenReaderTours } from './dashboard/screen-reader.js';
import { viewsTours } from './dashboard/views.js';

// What holds on every screen, and the keyboard, failures, analytics and saved views.
await runTours(t, {
  ...failureTours,
  ...anywhereTours,
  ...everyScreenTours,
  ...analyticsTours,
  ...viewsTours,
  ...keyboardTours,
  ...screenReaderTours,
  ...mainActionsTours,
  // Last, because its long values stay.
  ...longValuesTours,
});
