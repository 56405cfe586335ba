import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadClient, LoadJob, LoadResult } from './client.js';
import { spawnPinned } from './pinned-process.js';

/**
 * Requests are built once; each call takes the next ones. `pipelining` requests are sent in one write. Paths come from
 * a file, because a Lua program may contain 65,536 constants.
 */
function scriptOf({ headers, pipelining }: LoadJob, pathsFile: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\\r\\n`);
  return `
local paths = {}
for path in io.lines('${pathsFile}') do paths[#paths + 1] = path end
local head = ${JSON.stringify(lines.join('')).replaceAll('\\\\', '\\')}
local batches, at = {}, 0
function init(args)
  for first = 1, #paths - ${pipelining} + 1, ${pipelining} do
    local parts = {}
    for offset = 0, ${pipelining - 1} do parts[#parts + 1] = 'GET ' .. paths[first + offset] .. ' HTTP/1.1\\r\\n' .. head .. '\\r\\n' end
    batches[#batches + 1] = table.concat(parts)
  end
end
function request()
  at = at % #batches + 1
  return batches[at]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"failures":%d,"p50_ms":%f,"p99_ms":%f}',
    summary.requests, summary.duration / 1e6, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`;
}

async function outputOf(core: number | null, command: readonly [string, ...string[]]): Promise<string> {
  const child = spawnPinned(core, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`wrk ended with ${code}`);
  return Buffer.concat(chunks).toString();
}

/** https://github.com/wg/wrk, if it is installed. Its `status` errors are answers of 400 and above. */
export const wrkClient: LoadClient = {
  name: 'wrk',
  open: (core) => ({ run: (job) => runWrk(core, job), close: () => Promise.resolve() }),
};

async function runWrk(core: number | null, job: LoadJob): Promise<LoadResult> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-wrk-'));
  try {
    const script = join(dir, 'paths.lua');
    const pathsFile = join(dir, 'paths');
    writeFileSync(pathsFile, `${job.paths.join('\n')}\n`);
    writeFileSync(script, scriptOf(job, pathsFile));
    const url = `http://127.0.0.1:${job.port}/`;
    const output = await outputOf(core, ['wrk', '-t1', `-c${job.connections}`, `-d${job.seconds}s`, '-s', script, url]);
    return JSON.parse(output.slice(output.lastIndexOf('{'))) as LoadResult;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export function wrkIsInstalled(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined;
}
