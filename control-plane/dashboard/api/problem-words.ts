import type { Problem } from '../../../shared/contract/schemas/problem.js';
import { quote } from '../language/quoted.js';
import { wordsOfCode } from '../language/text.js';

type FieldProblem = NonNullable<Problem['errors']>[number];

/**
 * The text that says why a call was refused. The API gives a code and an English text. In another language, a text of the page replaces the
 * API's text if the code alone says enough.
 */
export function problemWords(code: Problem['code'], detail: string | undefined): string {
  return wordsOfCode('problem', code) ?? quote(detail ?? code);
}

/**
 * Like `problemWords`, but for a field, whose text continues the name of the field. If the value is taken, `sentence`, the text about the
 * whole call, says by what.
 */
export function fieldWords(problem: FieldProblem, sentence: string | undefined): FieldProblem {
  const said = problem.code === 'taken' ? (sentence ?? problem.detail) : problem.detail;
  return { ...problem, detail: wordsOfCode('field', problem.code) ?? quote(said) };
}

/** Turns a detail that continues the name of a field into a sentence. */
export function sentenceOf(detail: string): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
