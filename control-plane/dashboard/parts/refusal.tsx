import { languageOf } from '../language/quoted.js';

/** The reason why something was refused, which is read aloud when it appears. Null if nothing was refused. */
export function Refusal({ reason }: { readonly reason: string | null }) {
  return (
    <div role="alert">
      {reason === null ? null : (
        <p className="notice notice-danger" lang={languageOf(reason)}>
          {reason}
        </p>
      )}
    </div>
  );
}
