import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const MAIN = fileURLToPath(new URL('../../bench/main.js', import.meta.url));

function run(
  ...parameters: readonly string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...parameters], { timeout: 100_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

t.setTimeout(110_000);
t.test('a short run measures every server in every scenario, and none of its requests fails', async (t) => {
  const file = join(t.testdir(), 'figures.json');
  const { code, stdout, stderr } = await run('--links', '2000', '--rounds', '1', '--seconds', '1', '--json', file);
  t.equal(code, 0, stderr);
  const { redirect, links } = JSON.parse(readFileSync(file, 'utf8'));
  t.equal(links, 2000);
  const servers = ['bare uWebSockets.js', 'redirect process, address from a header', 'redirect process, address from the socket'];
  for (const scenario of ['64 connections', '64 connections, pipelined 16'])
    for (const contender of servers) {
      const row = redirect.find(
        (candidate: { scenario: string; contender: string; client: string }) =>
          candidate.scenario === scenario && candidate.contender === contender && candidate.client === 'autocannon',
      );
      t.match(row, { invalid: null, failures: 0 }, `${contender}, ${scenario}`);
      t.ok(row.requests_per_second.median > 100 && row.cpu_us_per_request.median > 0);
    }
  for (const server of servers) t.match(stdout, server);
});

for (const [parameters, line] of [
  [['teapot'], /^there is no bench "teapot"/],
  [['--links', '0'], /^--links: expected a whole number/],
  [['--fast'], /^Unknown option '--fast'/],
] as const)
  t.test(`${parameters.join(' ')} stops with one line`, async (t) => {
    const { code, stderr } = await run(...parameters);
    t.equal(code, 1);
    t.match(stderr, line);
  });
