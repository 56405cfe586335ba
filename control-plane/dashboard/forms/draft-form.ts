import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.js';
import { dropDraft, readDraft, writeDraft } from '../session/draft-store.js';
import type { FieldValue, FieldValues } from '../session/field-values.js';
import { useConnection } from '../session/signed-in.js';
import { fieldOf } from './pointers.js';

/** A form whose fields are named by the JSON Pointer of the member they become. */
export interface DraftForm<Values extends FieldValues> {
  readonly values: Values;
  readonly errors: Readonly<Record<string, string>>;
  /** Errors that belong to no field. */
  readonly general: readonly string[];
  readonly busy: boolean;
  /** True while the fields hold unsent entries of an earlier visit. */
  readonly restored: boolean;
  readonly changed: boolean;
  set(field: string, value: FieldValue): void;
  /** Replaces several fields at once, for example lists of rows. A field that is absent is removed. */
  replace(values: Values): void;
  /** Restores the values that the form began with. */
  discard(): void;
  fail(errors: Readonly<Record<string, string>>): void;
  onSubmit(event: FormEvent): void;
}

interface DraftFormOptions<Values extends FieldValues> {
  /** Names the draft, uniquely within the environment: `link/new`. */
  readonly name: string;
  readonly initial: Values;
  /** Fields that are not kept: credentials. */
  readonly unkept?: readonly string[];
  /** The field that a conflict (409) is about, where there can be one alone: a name that is taken. */
  readonly conflictField?: string;
  /** Sends the form. An `ApiError` that it throws is shown at the fields that its pointers name. */
  readonly submit: (values: Values) => Promise<unknown>;
}

const NONE: readonly string[] = [];

export function useDraftForm<Values extends FieldValues>({
  name,
  initial,
  unkept = NONE,
  conflictField,
  submit,
}: DraftFormOptions<Values>): DraftForm<Values> {
  const { environment } = useConnection();
  const draftName = `${environment} ${name}`;
  const [begun] = useState(initial);
  const [draft] = useState(() => readDraft(draftName));
  const [values, setValues] = useState<Values>(() => (draft === null ? begun : ({ ...begun, ...draft } as Values)));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [general, setGeneral] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [restored, setRestored] = useState(draft !== null);
  const [changed, setChanged] = useState(draft !== null);
  const element = useRef<HTMLFormElement | null>(null);

  const keep = useCallback(
    (next: Values) => {
      setValues(next);
      setChanged(true);
      writeDraft(draftName, Object.fromEntries(Object.entries(next).filter(([field]) => !unkept.includes(field))));
    },
    [draftName, unkept],
  );
  const clear = () => {
    dropDraft(draftName);
    setRestored(false);
    setChanged(false);
  };
  // The first field that is wrong gets the focus: a screen reader reads its error, and everybody sees it.
  useEffect(() => {
    if (Object.keys(errors).length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  const show = (error: ApiError) => {
    const found: Record<string, string> = {};
    const rest: string[] = [];
    for (const { pointer, in: place, detail } of error.fields) {
      const field = place === 'body' ? fieldOf(pointer, Object.keys(values)) : null;
      const sentence = sentenceOf(detail);
      if (field === null) rest.push(`${pointer}: ${detail}`);
      else found[field] ??= field === pointer ? sentence : `${pointer.slice(field.length + 1)}: ${detail}`;
    }
    if (error.code === 'conflict' && conflictField !== undefined) found[conflictField] = error.message;
    else if (error.fields.length === 0) rest.push(error.message);
    setErrors(found);
    setGeneral(rest);
  };
  const send = async () => {
    setBusy(true);
    setErrors({});
    setGeneral([]);
    try {
      await submit(values);
      clear();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      show(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    values,
    errors,
    general,
    busy,
    restored,
    changed,
    set: (field, value) => {
      keep({ ...values, [field]: value });
      if (errors[field] !== undefined) setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => name !== field)));
    },
    replace: keep,
    discard: () => {
      setValues(begun);
      setErrors({});
      setGeneral([]);
      clear();
    },
    fail: setErrors,
    onSubmit: (event) => {
      event.preventDefault();
      element.current = event.currentTarget as HTMLFormElement;
      void send();
    },
  };
}

/** Makes a sentence of the API's detail, which continues the name of the field. */
function sentenceOf(detail: string): string {
  const text = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
