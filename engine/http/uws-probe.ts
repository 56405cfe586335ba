import { createLogger } from '../../shared/base/log.js';
import { loadUws } from './listen-uws.js';

// Run by the supervisor, which must not load a native binary itself. Exits with 0 if uWebSockets.js loads on this system.
process.exit((await loadUws(createLogger('uws-probe', 'silent'))) === null ? 1 : 0);
