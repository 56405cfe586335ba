import { Client } from 'undici';
import { answerKey } from '../engine/store/answer-store.js';
import { AnswerWriter } from '../engine/store/answer-writer.js';
import { createLogger } from '../shared/base/log.js';
import { metadataOf } from '../shared/metadata/answer.js';
import { autocannonClient } from './load/autocannon-client.js';
import type { Contender } from './load/contender.js';
import { type BenchItems, writeItems } from './load/links.js';
import { type Measurement, measure } from './load/measure.js';
import { chooseCores } from './load/pinned-process.js';
import { BOT_HEADERS, bareCardContender, redirectContender } from './load/servers.js';
import { type RedirectBench, SCENARIOS } from './redirect.js';

export type CardsBench = Pick<RedirectBench, 'dataDir' | 'rounds' | 'seconds' | 'warmUpSeconds' | 'onStep'>;

/** Items that bots ask for. The host has cached answers for all of them: more than anybody shares on one host in an hour. */
const ITEMS = 1000;

/** Measures the cards of items whose answers the host has cached, beside a bare server that answers with as many bytes. */
export async function runCards({ dataDir, ...plan }: CardsBench): Promise<readonly Measurement[]> {
  const items = await writeItems(dataDir, ITEMS);
  const answers = rememberItems(dataDir, items);
  const cards: Contender = {
    ...redirectContender({
      key: 'cards',
      name: 'redirect process, warm cards',
      dataDir,
      slot: 0,
      trustedHeader: false,
      paths: items.paths,
    }),
    headers: BOT_HEADERS,
    status: 200,
  };
  try {
    return await measure({
      ...plan,
      contenders: [bareCardContender(await bytesOf(cards)), cards],
      scenarios: SCENARIOS,
      clients: [autocannonClient],
      paths: items.paths,
      cores: chooseCores(),
    });
  } finally {
    await answers.close();
  }
}

/** The writer stays open, as in `background`: a store that nobody holds is created again if boots have no id. */
function rememberItems(dataDir: string, { resourceTypeId, ids }: BenchItems): AnswerWriter {
  const answers = new AnswerWriter({ dataDir, log: createLogger('bench', 'error'), clock: Date.now });
  const now = Date.now();
  for (const id of ids) {
    const metadata = metadataOf((field) => (field.endsWith('url') ? `https://shop.example/${field}/${id}` : `The ${field} of item ${id}`));
    const times = { fetched_at_ms: now, expires_at_ms: now + 86_400_000, keep_until_ms: now + 86_400_000 };
    answers.put(answerKey(resourceTypeId, id), { generation: 1, outcome: 'ok', meaning: 'published', metadata, ...times });
  }
  return answers;
}

/** Returns the size of a card, which is the same for all, because all ids have one length. */
async function bytesOf(cards: Contender): Promise<number> {
  const server = await cards.start(null);
  const client = new Client(`http://127.0.0.1:${server.port}`);
  try {
    const { body } = await client.request({ method: 'GET', path: cards.paths?.[0] as string, headers: { ...cards.headers } });
    return (await body.arrayBuffer()).byteLength;
  } finally {
    await client.close();
    await server.stop();
  }
}
