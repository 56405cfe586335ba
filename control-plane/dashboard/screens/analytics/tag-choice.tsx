import { text } from '../../language/text.js';
import { useAllRows } from '../../session/queries.js';
import type { Asked } from './asked.js';
import { labelOf } from './groups.js';

/** The choice of a tag begins so: one may be called like the choice of any. */
const NAMED = '=';
const ANY = '*';

/** The tag by which clicks are filtered; nothing in an environment without tags. */
export function TagChoice({ asked, ask }: { readonly asked: Asked; readonly ask: (asked: Asked) => void }) {
  const tags = useAllRows('GET /tags', {}).rows;
  if (tags.length === 0) return null;
  const { tag, ...others } = asked.filters;
  const choose = (choice: string) => ask({ ...asked, filters: choice === ANY ? others : { ...others, tag: choice.slice(NAMED.length) } });
  return (
    <label>
      {text('Tag of the link')}
      <select value={tag === undefined ? ANY : NAMED + tag} onChange={({ target }) => choose(target.value)}>
        <option value={ANY}>{text('Any')}</option>
        <option value={NAMED}>{labelOf('tag', { value: null, name: null })}</option>
        {tags.map(({ id, name }) => (
          <option key={id} value={NAMED + name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
