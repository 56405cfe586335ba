import { type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { languageOf } from '../language/quoted.js';
import { rich } from '../language/rich.js';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { type Choice, Options } from '../parts/select.js';
import type { FieldValue } from '../session/field-values.js';
import type { DraftForm } from './draft-form.js';

/** Fields of a draft form. Each is tied to its label, its help and its error, so that a screen reader reads all three. */

interface FieldProps {
  readonly form: DraftForm;
  /** JSON Pointer of the member. */
  readonly field: string;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  /** What the reader may not have meant. The value is taken all the same. */
  readonly warning?: string | undefined;
  readonly disabled?: boolean;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly disabled: boolean;
}

function useWiring({ form, field, disabled = false }: FieldProps): Wiring {
  const id = useId();
  return { id, 'aria-invalid': form.errors[field] !== undefined, 'aria-describedby': `${id}-help ${id}-error`, disabled };
}

function Frame({
  form,
  field,
  label,
  help,
  warning,
  wiring,
  children,
}: FieldProps & { readonly wiring: Wiring; readonly children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={wiring.id} id={`${wiring.id}-label`}>
        {label}
      </label>
      {children}
      <Theirs form={form} field={field} />
      {warning === undefined ? null : (
        <p className="field-warning" role="status">
          {warning}
        </p>
      )}
      <FieldNotes id={wiring.id} help={help} error={form.errors[field]} />
    </div>
  );
}

/** What was saved elsewhere while the reader changed the field, and a way to take it. */
function Theirs({ form, field }: Pick<FieldProps, 'form' | 'field'>) {
  const value = form.theirs[field];
  if (value === undefined) return null;
  return (
    <p className="field-theirs">
      <span>{rich('Saved meanwhile: {value}', { value: <strong>{shownValue(value)}</strong> })}</span>
      <Button variant="link" onClick={() => form.set(field, value)}>
        {text('Use it')}
      </Button>
    </p>
  );
}

function shownValue(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? text('on') : text('off');
  return (typeof value === 'string' ? value : value.join(', ')) || text('nothing');
}

/** Help and error of a control with this id. */
export function FieldNotes({ id, help, error }: { readonly id: string; readonly help?: ReactNode; readonly error: string | undefined }) {
  return (
    <>
      <div className="field-error" id={`${id}-error`} lang={languageOf(error)}>
        {error}
      </div>
      <div className="field-help" id={`${id}-help`}>
        {help}
      </div>
    </>
  );
}

interface TextFieldProps extends FieldProps {
  readonly type?: HTMLInputTypeAttribute;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Shown in front of what is typed: the part of an address that is fixed. */
  readonly prefix?: string;
  readonly monospace?: boolean;
  readonly autoComplete?: string;
  readonly min?: number;
  readonly max?: number;
}

export function TextField({ type = 'text', prefix, monospace, required = false, autoComplete = 'off', ...props }: TextFieldProps) {
  const wiring = useWiring(props);
  const { form, field } = props;
  const input = (
    <input
      {...wiring}
      type={type}
      className={monospace ? 'mono' : undefined}
      value={String(form.values[field] ?? '')}
      onChange={(event) => form.set(field, event.target.value)}
      placeholder={props.placeholder}
      aria-required={required}
      autoComplete={autoComplete}
      min={props.min}
      max={props.max}
      spellCheck={false}
    />
  );
  return (
    <Frame {...props} wiring={wiring}>
      {prefix === undefined ? (
        input
      ) : (
        <div className="prefixed">
          <span aria-hidden="true">{prefix}</span>
          {input}
        </div>
      )}
    </Frame>
  );
}

export function TextArea({ rows = 4, placeholder, ...props }: FieldProps & { readonly rows?: number; readonly placeholder?: string }) {
  const wiring = useWiring(props);
  const { form, field } = props;
  return (
    <Frame {...props} wiring={wiring}>
      <textarea
        {...wiring}
        className="mono"
        rows={rows}
        value={String(form.values[field] ?? '')}
        onChange={(event) => form.set(field, event.target.value)}
        placeholder={placeholder}
        spellCheck={false}
      />
    </Frame>
  );
}

export function SelectField({ choices, ...props }: FieldProps & { readonly choices: readonly Choice[] }) {
  const wiring = useWiring(props);
  const { form, field } = props;
  return (
    <Frame {...props} wiring={wiring}>
      <select {...wiring} value={String(form.values[field] ?? '')} onChange={(event) => form.set(field, event.target.value)}>
        <Options choices={choices} />
      </select>
    </Frame>
  );
}

/** A field with a control of its own. */
export function ControlField({ control, ...props }: FieldProps & { readonly control: (wiring: Wiring) => ReactNode }) {
  const wiring = useWiring(props);
  return (
    <Frame {...props} wiring={wiring}>
      {control(wiring)}
    </Frame>
  );
}

export function SwitchField(props: FieldProps) {
  const wiring = useWiring(props);
  const { form, field, label, help } = props;
  return (
    <div className="field field-switch">
      <input
        {...wiring}
        type="checkbox"
        role="switch"
        aria-checked={form.values[field] === true}
        checked={form.values[field] === true}
        onChange={(event) => form.set(field, event.target.checked)}
      />
      <div>
        <label htmlFor={wiring.id}>{label}</label>
        <Theirs form={form} field={field} />
        <FieldNotes id={wiring.id} help={help} error={form.errors[field]} />
      </div>
    </div>
  );
}

export interface CheckChoice {
  readonly value: string;
  readonly label: ReactNode;
  readonly help?: string;
}

/** Selects several options of a list. */
export function CheckField({ choices, ...props }: FieldProps & { readonly choices: readonly CheckChoice[] }) {
  const { id, ...wiring } = useWiring(props);
  const { form, field, label, help } = props;
  const chosen = (form.values[field] ?? []) as readonly string[];
  return (
    <fieldset className="field" aria-describedby={wiring['aria-describedby']}>
      <legend>{label}</legend>
      <Theirs form={form} field={field} />
      <FieldNotes id={id} help={help} error={form.errors[field]} />
      <div className="checks">
        {choices.map((choice, index) => (
          <label key={choice.value} className="check">
            <input
              type="checkbox"
              aria-invalid={index === 0 && wiring['aria-invalid']}
              checked={chosen.includes(choice.value)}
              onChange={({ target }) =>
                form.set(field, target.checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))
              }
            />
            <span>
              {choice.label}
              {choice.help === undefined ? null : <small>{choice.help}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface PlainFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error: string | undefined;
}

/** A field of a form that keeps no draft. */
export function PlainField({ label, help, error, ...input }: PlainFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} aria-invalid={error !== undefined} aria-describedby={`${id}-help ${id}-error`} />
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}
