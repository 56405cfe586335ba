/** Names of the tags of a link. */
export function Tags({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => (
    <span key={name} className="tag">
      {name}
    </span>
  ));
}
