import type { Problem } from '../../../shared/contract/schemas/problem.js';
import { quote } from '../language/quoted.js';
import { wordsOfCode } from '../language/text.js';

type FieldProblem = NonNullable<Problem['errors']>[number];

/**
 * Why a call was refused. The API says it in English, and by a code: in another language a sentence of the page takes the place of the
 * API's wherever the code alone says enough.
 */
export function problemWords(code: Problem['code'], detail: string | undefined): string {
  return wordsOfCode('problem', code) ?? quote(detail ?? code);
}

/** The same for a field: what is wrong continues its name. Of a value that is taken `sentence`, about the whole call, says by what. */
export function fieldWords(problem: FieldProblem, sentence: string | undefined): FieldProblem {
  const said = problem.code === 'taken' ? (sentence ?? problem.detail) : problem.detail;
  return { ...problem, detail: wordsOfCode('field', problem.code) ?? quote(said) };
}

/** Makes a sentence of a detail that continues the name of a field. */
export function sentenceOf(detail: string): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
