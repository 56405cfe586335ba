import { languageOf } from '../language/quoted.js';

/** Why something was refused, read aloud as soon as it is known; null as long as it was not. */
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
