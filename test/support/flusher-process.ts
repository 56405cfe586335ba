import { ClickHouse } from '../../shared/clickhouse/connection.js';
import { makeFlusher } from './click-log.js';

/** A shipper into ClickHouse in a process of its own, for tests that kill it. Its settings come as JSON in the first argument. */
const { databaseUrl, dir, clickHouseUrl } = JSON.parse(process.argv[2] ?? '') as Record<'databaseUrl' | 'dir' | 'clickHouseUrl', string>;
const clickHouse = new ClickHouse({ url: clickHouseUrl, timeoutMs: 10_000, application: 'flusher-process' });
makeFlusher({ databaseUrl, dir, clickHouse }).start();
process.send?.('ready');
process.on('disconnect', () => process.exit());
