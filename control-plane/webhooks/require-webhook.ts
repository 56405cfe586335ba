import { pathRowReader } from '../http/path-row-reader.js';
import { findWebhook } from './sql.js';

export const requireWebhook = pathRowReader({ parameter: 'webhook', kind: 'webhook', noun: 'webhook endpoint', find: findWebhook });
