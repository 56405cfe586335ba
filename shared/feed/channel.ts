/**
 * PostgreSQL notification channels. A notification is a hint: a process that gets one reads the tables again. Payloads
 * are JSON. The one of the feed is `{"position": 7}`.
 */
export const FEED_CHANNEL = 'config_feed';
export const WEBHOOK_CHANNEL = 'webhook_due';
