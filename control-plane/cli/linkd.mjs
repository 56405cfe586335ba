#!/usr/bin/env node
// `npx linkd` runs this file. The command itself has to be compiled; if it is not, this says what to do.
import { existsSync } from 'node:fs';

const command = new URL('../../dist/deploy/command-line/linkd.js', import.meta.url);
if (existsSync(command)) {
  await import(command.href);
} else {
  console.error('linkd: not built yet; run: npm ci && npm run build');
  process.exitCode = 1;
}
