import { WebhookDispatcher } from '../../engine/webhooks/webhook-dispatcher.js';
import { createLogger } from '../../shared/base/log.js';

/** A dispatcher in a process of its own, for tests that kill it. Its options come as JSON in the first argument. A delivery to `/dies` ends its thread. */
const dispatcher = new WebhookDispatcher({
  ...JSON.parse(process.argv[2] ?? ''),
  threadModule: new URL('../fixtures/dying-deliver.worker.js', import.meta.url),
  log: createLogger('webhook-process', 'silent'),
});
await dispatcher.start();
process.send?.('ready');
