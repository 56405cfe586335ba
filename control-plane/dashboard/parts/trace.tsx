import type { LinkTestResult } from '../../../shared/contract/schemas/link-test.js';
import { text } from '../language/text.js';
import { shownInput } from './trace-inputs.js';

type Step = LinkTestResult['trace'][number];

/** Lists every rule that fired, in order, each with its inputs. */
export function Trace({ trace }: { readonly trace: readonly Step[] }) {
  return (
    <ol className="trace" aria-label={text('Rules that applied')}>
      {trace.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may fire twice, and the list never changes
        <li key={`${step.rule} ${index}`} className="step">
          <code>{step.rule}</code> <span lang="en">{step.detail}</span>
          <Inputs inputs={step.inputs} />
        </li>
      ))}
    </ol>
  );
}

function Inputs({ inputs }: Pick<Step, 'inputs'>) {
  return (
    <div className="trace-inputs quiet">
      {Object.entries(inputs).map(([name, value]) => (
        <span key={name} lang="en">
          {name.replaceAll('_', ' ')} <code>{shownInput(value)}</code>
        </span>
      ))}
    </div>
  );
}
