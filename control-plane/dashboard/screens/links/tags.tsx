import { exactCount } from '../../format/numbers.js';

interface TagsProps {
  readonly names: readonly string[];
  /** The greatest number of tags to show; all if absent. The number of further tags is shown as well. */
  readonly most?: number;
}

/** Names of the tags of a link. */
export function Tags({ names, most = names.length }: TagsProps) {
  const others = names.slice(most);
  return (
    <>
      {names.slice(0, most).map((name) => (
        <span key={name} className="tag">
          {name}
        </span>
      ))}
      {others.length === 0 ? null : (
        <>
          <span className="tags-more" title={others.join(', ')} aria-hidden="true">{`+${exactCount(others.length)}`}</span>
          {/* Nothing but the pointer makes a title appear. */}
          <span className="visually-hidden">{others.join(', ')}</span>
        </>
      )}
    </>
  );
}
