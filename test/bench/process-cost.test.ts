import t from 'tap';
import { cpuMicroseconds, memoryOf } from '../../bench/load/process-cost.js';

const skip = process.platform === 'linux' ? false : 'reads /proc';

t.test('the measured CPU time of a process equals what getrusage reports', { skip }, async (t) => {
  const before = cpuMicroseconds(process.pid);
  const ownBefore = process.cpuUsage();
  let sum = 0;
  while (process.cpuUsage(ownBefore).user < 200_000) sum += Math.sqrt(sum + 1);
  const own = process.cpuUsage(ownBefore);
  const measured = cpuMicroseconds(process.pid) - before;
  t.ok(Math.abs(measured - own.user - own.system) <= 40_000, `${measured} µs by /proc, ${own.user + own.system} µs by getrusage`);
});

t.test('the private memory of a process is a part of its resident memory', { skip }, async (t) => {
  const { resident_mb, private_mb } = memoryOf([process.pid]);
  t.ok(private_mb > 10 && private_mb <= resident_mb, `${private_mb} of ${resident_mb} MB`);
});
