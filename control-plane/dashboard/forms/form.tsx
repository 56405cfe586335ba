import { type KeyboardEvent, type ReactNode, useId } from 'react';
import type { Scope } from '../../../shared/contract/schemas/scopes.js';
import { languageOf } from '../language/quoted.js';
import { rich } from '../language/rich.js';
import { counted, text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { modifierKey } from '../parts/shortcuts.js';
import { useMay } from '../session/signed-in.js';
import type { DraftForm } from './draft-form.js';
import { FormContext, useForm } from './form-context.js';

interface FormProps {
  readonly form: DraftForm;
  readonly submit: string;
  readonly onCancel?: (() => void) | undefined;
  readonly children: ReactNode;
  /** The scope that saving needs. */
  readonly needs?: Scope;
  /** For a form that may be higher than the window: its buttons stay visible while it scrolls. In a dialog, buttons always do. */
  readonly bar?: boolean;
}

/** A form with its buttons below, and beside them the reason why it could not be saved. Ctrl or ⌘ with Enter saves it from any field. */
export function Form({ form, submit, onCancel, needs = 'links:write', bar = false, children }: FormProps) {
  const may = useMay(needs);
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    if (may && !form.busy) event.currentTarget.requestSubmit();
  };
  // Entries are kept for a user who leaves the form in any other way. Who cancels does not want them.
  const cancel = () => {
    form.discard();
    onCancel?.();
  };
  return (
    <form onSubmit={form.onSubmit} onKeyDown={press} noValidate className="form" aria-busy={form.busy}>
      {may ? null : (
        <p className="notice notice-warn">
          {rich('You cannot change this with your key: it lacks the scope {scope}.', { scope: <code>{needs}</code> })}
        </p>
      )}
      {form.restored ? (
        <div className="notice notice-info">
          <span>{text('Your unsent entries were restored.')}</span>
          <Button variant="link" onClick={form.discard}>
            {text('Discard them')}
          </Button>
        </div>
      ) : null}
      <FormContext.Provider value={form}>
        {children}
        <div className={bar ? 'stack form-bar' : 'stack form-foot'}>
          <Alert />
          <div className="form-buttons">
            <Button type="submit" variant="primary" shortcut="Control+Enter" busy={form.busy} disabled={!may}>
              {submit}
            </Button>
            {onCancel === undefined ? null : <Button onClick={cancel}>{text('Cancel')}</Button>}
            {bar ? (
              <span className="form-keys" aria-hidden="true">
                <kbd>{modifierKey()}</kbd>
                <kbd>{text('Enter')}</kbd>
              </span>
            ) : null}
          </div>
        </div>
      </FormContext.Provider>
    </form>
  );
}

/** The reasons why the form could not be saved. */
function Alert() {
  const { errors, theirs, general } = useForm();
  const wrong = Object.keys(errors).length;
  const conflicts = Object.keys(theirs).length;
  return (
    <div role="alert" className="form-alert">
      {general.map((line) => (
        <p key={line} className="notice notice-danger" lang={languageOf(line)}>
          {line}
        </p>
      ))}
      {conflicts > 0 ? (
        <p className="notice notice-warn">
          {counted(
            conflicts,
            'A field that you changed has also been changed elsewhere. The saved value is shown below it. Save again to replace it with yours.',
            '{count} fields that you changed have also been changed elsewhere. The saved value is shown below each. Save again to replace them with yours.',
          )}
        </p>
      ) : null}
      {wrong > 0 ? (
        <p className="notice notice-danger">
          {counted(wrong, 'One field has an error: see above.', '{count} fields have errors: see above.')}
        </p>
      ) : null}
    </div>
  );
}

interface FieldGroupProps {
  readonly title: string;
  readonly help?: ReactNode;
  /** Whether its only field has the same name, which need not be said twice. */
  readonly single?: boolean;
  readonly children: ReactNode;
}

/** Fields that belong together, below a heading, which screen readers say with each of them. */
export function FieldGroup({ title, help, single = false, children }: FieldGroupProps) {
  const id = useId();
  return (
    <div className="field-group" {...(single ? {} : { role: 'group', 'aria-labelledby': id })}>
      <div className="field-group-head">
        <h2 id={id}>{title}</h2>
        {help === undefined ? null : <p className="quiet">{help}</p>}
      </div>
      <div className="stack field-group-body">{children}</div>
    </div>
  );
}
