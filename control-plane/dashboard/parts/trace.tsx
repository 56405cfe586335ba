import type { LinkTestResult } from '../../../shared/contract/schemas/link-test.js';

/** Every rule that fired, in order, each with what it looked at. */
export function Trace({ trace }: { readonly trace: LinkTestResult['trace'] }) {
  return (
    <ol className="trace" aria-label="Rules that fired">
      {trace.map(({ rule, detail, inputs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may fire twice, and the list never changes
        <li key={`${rule} ${index}`}>
          <code>{rule}</code> {detail}
          {Object.keys(inputs).length === 0 ? null : (
            <details>
              <summary>What it looked at</summary>
              <pre className="code">{JSON.stringify(inputs, null, 2)}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
