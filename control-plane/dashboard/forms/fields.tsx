import { type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react';
import { languageOf } from '../language/quoted.js';
import { rich } from '../language/rich.js';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { type Choice, Options } from '../parts/select.js';
import type { FieldValue } from './field-values.js';
import { useForm } from './form-context.js';

/** Fields of the draft form around them. Each is tied to its label, help and error, so that a screen reader reads all three. */

interface FieldProps {
  /** JSON Pointer of the member. */
  readonly field: string;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  /** A hint that the value may be a mistake. The value is accepted nevertheless. */
  readonly warning?: string | undefined;
  readonly disabled?: boolean;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly disabled: boolean;
}

function useField(props: FieldProps) {
  const { field, disabled = false } = props;
  const id = useId();
  const { values, errors, set } = useForm();
  const error = errors[field];
  const notes = 'warning' in props ? `${id}-warning ${id}-help ${id}-error` : `${id}-help ${id}-error`;
  const wiring: Wiring = { id, 'aria-invalid': error !== undefined, 'aria-describedby': notes, disabled };
  return { wiring, error, value: values[field], set: (value: FieldValue) => set(field, value) };
}

function Frame({ wiring, children, ...props }: FieldProps & { readonly wiring: Wiring; readonly children: ReactNode }) {
  const { field, label, help, warning } = props;
  const { errors } = useForm();
  return (
    <div className="field">
      <label htmlFor={wiring.id} id={`${wiring.id}-label`}>
        {label}
      </label>
      {children}
      <Theirs field={field} />
      {'warning' in props ? (
        <p className="field-warning" id={`${wiring.id}-warning`} role="status">
          {warning}
        </p>
      ) : null}
      <FieldNotes id={wiring.id} help={help} error={errors[field]} />
    </div>
  );
}

/** The value that was saved elsewhere while the user changed the field, with a button to use it. */
function Theirs({ field }: Pick<FieldProps, 'field'>) {
  const form = useForm();
  const value = form.theirs[field];
  if (value === undefined) return null;
  return (
    <p className="field-theirs">
      <span>{rich('Now saved: {value}', { value: <strong>{shownValue(value)}</strong> })}</span>
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

/** The help and the error of the control with this id. */
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
  /** The fixed part of an address, shown in front of the typed text. */
  readonly prefix?: string;
  readonly monospace?: boolean;
  readonly autoComplete?: string;
  readonly min?: number;
  readonly max?: number;
}

export function TextField({ type = 'text', prefix, monospace, required = false, autoComplete = 'off', ...props }: TextFieldProps) {
  const { wiring, value, set } = useField(props);
  const input = (
    <input
      {...wiring}
      type={type}
      className={monospace ? 'mono' : undefined}
      value={String(value ?? '')}
      onChange={(event) => set(event.target.value)}
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

interface TextAreaProps extends FieldProps {
  readonly rows?: number;
  readonly placeholder?: string;
  readonly monospace?: boolean;
}

export function TextArea({ rows = 4, placeholder, monospace = false, ...props }: TextAreaProps) {
  const { wiring, value, set } = useField(props);
  return (
    <Frame {...props} wiring={wiring}>
      <textarea
        {...wiring}
        className={monospace ? 'mono' : undefined}
        dir={monospace ? 'ltr' : 'auto'}
        rows={rows}
        value={String(value ?? '')}
        onChange={(event) => set(event.target.value)}
        placeholder={placeholder}
        spellCheck={!monospace}
      />
    </Frame>
  );
}

export function SelectField({ choices, ...props }: FieldProps & { readonly choices: readonly Choice[] }) {
  const { wiring, value, set } = useField(props);
  return (
    <Frame {...props} wiring={wiring}>
      <select {...wiring} value={String(value ?? '')} onChange={(event) => set(event.target.value)}>
        <Options choices={choices} />
      </select>
    </Frame>
  );
}

/** A field with a custom control. */
export function ControlField({ control, ...props }: FieldProps & { readonly control: (wiring: Wiring) => ReactNode }) {
  const { wiring } = useField(props);
  return (
    <Frame {...props} wiring={wiring}>
      {control(wiring)}
    </Frame>
  );
}

export function SwitchField(props: FieldProps) {
  const { field, label, help } = props;
  const { wiring, value, error, set } = useField(props);
  return (
    <div className="field field-switch">
      <input
        {...wiring}
        type="checkbox"
        role="switch"
        aria-checked={value === true}
        checked={value === true}
        onChange={(event) => set(event.target.checked)}
      />
      <div>
        <label htmlFor={wiring.id}>{label}</label>
        <Theirs field={field} />
        <FieldNotes id={wiring.id} help={help} error={error} />
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
  const { field, label, help } = props;
  const { wiring, value, error, set } = useField(props);
  const chosen = (value ?? []) as readonly string[];
  return (
    <fieldset className="field" aria-describedby={wiring['aria-describedby']}>
      <legend>{label}</legend>
      <Theirs field={field} />
      <FieldNotes id={wiring.id} help={help} error={error} />
      <div className="checks">
        {choices.map((choice, index) => (
          <label key={choice.value} className="check">
            <input
              type="checkbox"
              aria-invalid={index === 0 && wiring['aria-invalid']}
              checked={chosen.includes(choice.value)}
              onChange={({ target }) => set(target.checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))}
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

/** A field of a form that keeps no draft. If its value is refused, it takes the focus, so that a screen reader reads why. */
export function PlainField({ label, help, error, ...input }: PlainFieldProps) {
  const id = useId();
  const element = useRef<HTMLInputElement>(null);
  const isWrong = error !== undefined;
  useEffect(() => {
    // The first wrong field of a form keeps the focus.
    if (isWrong && !document.activeElement?.matches('[aria-invalid="true"]')) element.current?.focus();
  }, [isWrong]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} ref={element} id={id} aria-invalid={isWrong} aria-describedby={`${id}-help ${id}-error`} />
      {/* Said aloud as well, because the field may have had the focus all along. */}
      <div role="alert" aria-atomic="false">
        <FieldNotes id={id} help={help} error={error} />
      </div>
    </div>
  );
}
