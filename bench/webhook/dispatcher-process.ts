import type { WebhookDispatcherOptions } from '../../engine/webhooks/dispatcher-options.js';
import { WebhookDispatcher } from '../../engine/webhooks/webhook-dispatcher.js';
import { createLogger } from '../../shared/base/log.js';

/** The engine's webhook part in a process of its own. It answers `stats` with its figures. */
const options = JSON.parse(process.argv[2] ?? '') as Omit<WebhookDispatcherOptions, 'log'>;
const dispatcher = new WebhookDispatcher({ ...options, log: createLogger('bench', 'warn') });
process.on('message', (message) => {
  if (message === 'stats') process.send?.({ kind: 'stats', stats: dispatcher.stats() });
});
process.on('disconnect', () => process.exit());
await dispatcher.start();
process.send?.({ kind: 'started' });
