import { text } from '../../language/text.js';
import { LabelledSelect } from '../../parts/select.js';
import { useKnownTags } from '../../session/known-tags.js';
import type { Asked } from './asked.js';
import { labelOf } from './groups.js';

/** Prefix of the choice of a tag, because a tag may have the same name as the choice of any tag. */
const NAMED = '=';
const ANY = '*';

/** Chooses the tag to filter by. Shows nothing if the environment has no tags. */
export function TagChoice({ asked, ask }: { readonly asked: Asked; readonly ask: (asked: Asked) => void }) {
  const tags = useKnownTags();
  if (tags.length === 0) return null;
  const { tag, ...others } = asked.filters;
  const choose = (choice: string) => ask({ ...asked, filters: choice === ANY ? others : { ...others, tag: choice.slice(NAMED.length) } });
  const isKnown = tag === undefined || tag === '' || tags.some(({ name }) => name === tag);
  const choices = [
    ...(isKnown ? [] : [{ value: NAMED + tag, label: tag }]),
    { value: ANY, label: text('Any') },
    { value: NAMED, label: labelOf('tag', { value: null, name: null }) },
    ...tags.map(({ name }) => ({ value: NAMED + name, label: name })),
  ];
  return (
    <LabelledSelect label={text('Tag of the link')} value={tag === undefined ? ANY : NAMED + tag} choices={choices} onChange={choose} />
  );
}
