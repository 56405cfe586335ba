import t from 'tap';
import { coldVerdicts, urlSamples, verdicts, warmUp } from '../support/url-judgements.js';

const URLS = 10_000;
const CALLS = 20_000;

t.test('every check of 10,000 URLs gives the same result in a cold process and after 20,000 calls', async (t) => {
  const urls = urlSamples(URLS);
  const cold = coldVerdicts(URLS);
  warmUp(urls, CALLS);
  const warm = verdicts(urls);
  for (const [name, found] of Object.entries(cold)) {
    const changed = urls.filter((_, index) => found[index] !== warm[name]?.[index]);
    t.strictSame(changed, [], name);
  }
});
