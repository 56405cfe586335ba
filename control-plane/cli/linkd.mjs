#!/usr/bin/env node
// What `npx linkd` runs. The command itself is compiled; where it is not, this says what to do about it.
import { existsSync } from 'node:fs';

const command = new URL('../../dist/deploy/command-line/linkd.js', import.meta.url);
if (existsSync(command)) {
  await import(command.href);
} else {
  console.error('linkd: not built yet; run: npm ci && npm run build');
  process.exitCode = 1;
}
