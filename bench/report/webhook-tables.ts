import type { ShippingMeasurement } from '../webhook/click-shipping.js';
import type { LatencyMeasurement } from '../webhook/latency.js';
import type { QueueMeasurement } from '../webhook/queue-drain.js';
import type { SteadyMeasurement } from '../webhook/steady-rate.js';
import type { ThreadsMeasurement } from '../webhook/threads.js';
import type { WebhooksResult } from '../webhooks.js';
import { newTable, spread } from './table.js';

export function webhookTablesOf({ threads, queue, latency, shipping, steady }: WebhooksResult): string {
  const tables = [threadsTable(threads), queueTable(queue), latencyTable(latency), shippingTable(shipping)];
  return [...tables, ...(steady === null ? [] : [steadyTable(steady)])].join('\n\n');
}

function threadsTable(rows: readonly ThreadsMeasurement[]): string {
  const table = newTable(['threads alone', 'signed deliveries/s', 'main thread µs', 'CPU µs/delivery', 'failed']);
  for (const row of rows)
    table.push([
      row.scheme,
      spread(row.deliveries_per_second, 0),
      spread(row.main_thread_us_per_delivery, 1),
      spread(row.cpu_us_per_delivery, 1),
      row.failures,
    ]);
  return table.toString();
}

function queueTable(rows: readonly QueueMeasurement[]): string {
  const table = newTable(['queue to log', 'deliveries', 'deliveries/s', 'dispatcher CPU µs/delivery', 'connections']);
  for (const row of rows)
    table.push([
      `${row.scheme}, ${row.endpoints} endpoints`,
      row.deliveries,
      spread(row.deliveries_per_second, 0),
      spread(row.dispatcher_cpu_us_per_delivery, 0),
      row.connections,
    ]);
  return table.toString();
}

function latencyTable({ events_per_second, events, p50_ms, p99_ms, max_ms }: LatencyMeasurement): string {
  const table = newTable(['commit to receiver', 'events', 'p50 ms', 'p99 ms', 'max ms']);
  table.push([`${events_per_second} events/s`, events, p50_ms, p99_ms, max_ms]);
  return table.toString();
}

function shippingTable(rows: readonly ShippingMeasurement[]): string {
  const table = newTable(['clicks into the log, told to', 'clicks', 'clicks/s', 'shipper CPU µs/click']);
  for (const row of rows)
    table.push([row.receivers, row.clicks, spread(row.clicks_per_second, 0), spread(row.shipper_cpu_us_per_click, 2)]);
  return table.toString();
}

function steadyTable({ events_per_second, endpoints, minutes }: SteadyMeasurement): string {
  const head = [
    'minute',
    'deliveries',
    'arrival p99 ms',
    'claim p50 ms',
    'claim p99 ms',
    'dead tuples',
    'HOT updates',
    'heap MB',
    'indexes MB',
  ];
  const table = newTable(head);
  for (const row of minutes)
    table.push([
      row.minute,
      row.deliveries,
      row.arrival_p99_ms,
      row.claim_p50_ms.toFixed(1),
      row.claim_p99_ms.toFixed(1),
      row.dead_tuples,
      `${Math.round(row.hot_update_share * 100)} %`,
      row.heap_mb.toFixed(0),
      row.index_mb.toFixed(0),
    ]);
  return `${events_per_second} events/s to ${endpoints} endpoints beside a snapshot held from the start\n${table}`;
}
