import { urlSamples, verdicts } from './url-judgements.js';

process.stdout.write(JSON.stringify(verdicts(urlSamples(Number(process.argv[2])))));
