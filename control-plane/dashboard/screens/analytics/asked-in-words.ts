import type { ClickDimension, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { dateAndTime, wholeDay } from '../../format/times.js';
import { text, textOf } from '../../language/text.js';
import { useRead } from '../../session/queries.js';
import { type Asked, DIMENSION_NAMES, DIMENSIONS } from './asked.js';
import { labelOf } from './groups.js';

/**
 * The filters in words, such as `Country: Germany`. A link is named by its path, or by its id if the link has not been read yet or was
 * deleted.
 */
export function useFilterWords({ filters }: Pick<Asked, 'filters'>): readonly { readonly name: ClickDimension; readonly words: string }[] {
  const id = filters.link ?? '';
  const link = useRead('GET /links/{link}', { params: { link: id } }, { enabled: id !== '' });
  return DIMENSION_NAMES.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const label =
      name === 'link' && value !== '' ? (link.data?.path ?? id) : labelOf(name, { value: value === '' ? null : value, name: null });
    return [{ name, words: `${textOf(DIMENSIONS[name])}: ${label}` }];
  });
}

/** The days and the filters for the head of a picture, one per line. */
export function usePictureHead(
  asked: Asked,
  answer: Pick<ClicksAnswer, 'from' | 'to' | 'timezone' | 'as_of'> | undefined,
): readonly string[] {
  const filters = useFilterWords(asked);
  return headLines(
    answer,
    filters.map(({ words }) => words),
  );
}

export function headLines(
  answer: Pick<ClicksAnswer, 'from' | 'to' | 'timezone' | 'as_of'> | undefined,
  filters: readonly string[],
): readonly string[] {
  if (answer === undefined) return [];
  const { from, to, timezone, as_of } = answer;
  const days = text('{from} to {to}, days in {timezone}. Clicks up to {asOf}.', {
    from: wholeDay(from),
    to: wholeDay(to),
    timezone,
    asOf: dateAndTime(as_of, timezone),
  });
  return filters.length === 0 ? [days] : [days, filters.join(' · ')];
}
