import { createWebhookDispatcher } from '../../engine/webhooks/dispatcher.js';
import { createLogger } from '../../shared/base/log.js';

/** A dispatcher in a process of its own, for tests that kill it. Its options come as JSON in the first argument. */
const dispatcher = createWebhookDispatcher({ ...JSON.parse(process.argv[2] ?? ''), logger: createLogger('webhook-process', 'silent') });
await dispatcher.start();
process.send?.('ready');
