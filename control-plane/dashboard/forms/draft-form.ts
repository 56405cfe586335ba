import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.js';
import { sentenceOf } from '../api/problem-words.js';
import { quotedAs } from '../language/quoted.js';
import { text } from '../language/text.js';
import { toast } from '../parts/toasts.js';
import { draftOwner, dropDraft, readDraft, writeDraft } from '../session/draft-store.js';
import { useConnection } from '../session/signed-in.js';
import type { FieldValue, FieldValues } from './field-values.js';
import { areSameFields, mergeFields } from './merge.js';
import { fieldOf } from './pointers.js';

/** A form. Its fields are named by the JSON Pointer of the member that they become. */
export interface DraftForm {
  readonly values: FieldValues;
  readonly errors: Readonly<Record<string, string>>;
  /** Errors that belong to no field. */
  readonly general: readonly string[];
  /** Values that were saved elsewhere in the meantime, for the fields that the user has changed as well. */
  readonly theirs: FieldValues;
  readonly busy: boolean;
  /** True while the fields hold unsent entries from an earlier visit. */
  readonly restored: boolean;
  readonly changed: boolean;
  set(field: string, value: FieldValue): void;
  /** Replaces all fields at once, for example when lists of rows change. A field that is absent is removed. */
  replace(values: FieldValues): void;
  /** Restores the saved values. */
  discard(): void;
  onSubmit(event: FormEvent): void;
}

/** The saved state of the object that a form edits. */
export interface Saved {
  readonly values: FieldValues;
  /** Its `ETag`; undefined if there is no object yet. */
  readonly tag: string | undefined;
}

interface DraftFormOptions {
  /** Names the draft, uniquely within the environment: `link/new`. */
  readonly name: string;
  readonly initial: FieldValues;
  /** The `ETag` of the object that the form edits. */
  readonly tag?: string | undefined;
  /** Reads that object again, after a change elsewhere came first. */
  readonly reread?: () => Promise<Saved>;
  /** Fields that are not stored in the draft, such as credentials. */
  readonly unkept?: readonly string[];
  /**
   * Sends the form. `base` is what the object held before, and `ifMatch` is the `ETag` that the change was based on. If it throws an
   * `ApiError`, the errors are shown at the fields that its pointers name. Resolves with the object after the change if the form stays.
   */
  readonly submit: (values: FieldValues, saved: { readonly base: FieldValues; readonly ifMatch: string | undefined }) => Promise<unknown>;
}

const NONE: readonly string[] = [];
const NOTHING: FieldValues = {};

export function useDraftForm({ name, initial, tag, reread, unkept = NONE, submit }: DraftFormOptions): DraftForm {
  const { environment } = useConnection();
  const draftName = `${environment} ${name}`;
  const [saved, setSaved] = useState<Saved>({ values: initial, tag });
  const [owner] = useState(draftOwner);
  const [begun] = useState(() => beginWith(initial, readDraft<Draft>(draftName), unkept));
  const [values, setValues] = useState(begun.values);
  const [theirs, setTheirs] = useState(begun.theirs);
  const [restored, setRestored] = useState(begun.restored);
  const [changed, setChanged] = useState(begun.restored);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [general, setGeneral] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement | null>(null);
  /** The current values, for a save that began with earlier ones. */
  const latest = useRef(values);

  const hold = useCallback((next: FieldValues) => {
    latest.current = next;
    setValues(next);
  }, []);
  const write = useCallback(
    (base: FieldValues, next: FieldValues) => {
      const kept = (fields: FieldValues) => Object.fromEntries(Object.entries(fields).filter(([field]) => !unkept.includes(field)));
      writeDraft(owner, draftName, { base: kept(base), values: kept(next) });
    },
    [owner, draftName, unkept],
  );
  const keep = useCallback(
    (next: FieldValues) => {
      hold(next);
      // What is as it was saved needs no draft, however it came about.
      const isAsSaved = areSameFields(next, saved.values);
      setChanged(!isAsSaved);
      if (!isAsSaved) return write(saved.values, next);
      setRestored(false);
      dropDraft(draftName);
    },
    [hold, write, saved, draftName],
  );
  const clear = () => {
    dropDraft(draftName);
    setRestored(false);
    setChanged(false);
    setTheirs(NOTHING);
  };
  // If the user has typed nothing, values that were saved in the meantime are shown at once.
  if (!changed && !busy && tag !== undefined && tag !== saved.tag) {
    setSaved({ values: initial, tag });
    hold(initial);
  }
  // The first field with an error or a conflict gets the focus, so that a screen reader reads it and everyone sees it. Only a refusal moves
  // the focus: an error also goes when its field is changed, and the user goes on typing there.
  useEffect(() => {
    if (refusal !== null)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], .field:has(.field-theirs) :is(input, select, textarea)')?.focus();
  }, [refusal]);

  const show = (error: ApiError) => {
    const shown = errorsOf(error, values);
    setErrors(shown.fields);
    setGeneral(shown.general);
    setRefusal(error);
    // The form says it itself, below its fields, unless the user has gone to another screen meanwhile.
    if (element.current?.isConnected !== true) toast(shown.general[0] ?? text('Nothing was saved. Correct the marked fields.'), 'bad');
  };
  /** Ends a save. If the form stays, and the user typed during the save, these entries become the next change of what is now saved. */
  const settle = (sent: FieldValues, from: Saved) => {
    if (latest.current === sent || reread === undefined) clear();
    else {
      setSaved({ ...from, values: sent });
      setTheirs(NOTHING);
      // What was typed may be what was saved before, and is now a change.
      setChanged(true);
      write(sent, latest.current);
    }
  };
  /**
   * Sends the values. If the object was changed elsewhere first, merges that change and sends the form again, unless both changed the same
   * field.
   */
  const sendFrom = async (from: Saved, sent: FieldValues): Promise<void> => {
    try {
      await submit(sent, { base: from.values, ifMatch: from.tag });
      settle(sent, from);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed' || reread === undefined) throw error;
      const now = await reread();
      const merge = mergeFields(from.values, sent, now.values);
      const shown = latest.current === sent ? merge : mergeFields(from.values, latest.current, now.values);
      setSaved(now);
      hold(shown.values);
      setTheirs(shown.theirs);
      setChanged(true);
      if (Object.keys(merge.theirs).length === 0) return sendFrom(now, merge.values);
      if (latest.current === merge.values) setRefusal(error);
    }
  };
  const send = async () => {
    setBusy(true);
    setErrors({});
    setGeneral([]);
    try {
      await sendFrom(saved, values);
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
    theirs,
    busy,
    restored,
    changed,
    set: (field, value) => {
      // Not based on `values`, because a caller may have had this function for longer than the user needs to change another field.
      keep({ ...latest.current, [field]: value });
      if (errors[field] !== undefined) setErrors(without(errors, field));
      if (theirs[field] !== undefined) setTheirs(without(theirs, field));
    },
    replace: keep,
    discard: () => {
      hold(saved.values);
      setErrors({});
      setGeneral([]);
      clear();
    },
    onSubmit: (event) => {
      event.preventDefault();
      element.current = event.currentTarget as HTMLFormElement;
      void send();
    },
  };
}

/** Entries that were typed and not sent. */
interface Draft {
  /** What the object held when the entries were typed. */
  readonly base: FieldValues;
  readonly values: FieldValues;
}

/** The initial state of a form: the saved values, merged with the unsent entries of an earlier visit. */
function beginWith(saved: FieldValues, draft: Draft | null, unkept: readonly string[]) {
  if (draft === null) return { values: saved, theirs: NOTHING, restored: false };
  const lacking = Object.fromEntries(Object.entries(saved).filter(([field]) => unkept.includes(field)));
  const merge = mergeFields({ ...draft.base, ...lacking }, { ...draft.values, ...lacking }, saved);
  // The same may have been saved since, or only fields were changed that no draft has.
  return { ...merge, restored: !areSameFields(merge.values, saved) };
}

function without<Value>(fields: Readonly<Record<string, Value>>, field: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field));
}

function errorsOf(error: ApiError, values: FieldValues) {
  const fields: Record<string, string> = {};
  const general: string[] = [];
  for (const { pointer, in: place, code, detail } of error.fields) {
    const field = place === 'body' ? fieldOf(pointer, Object.keys(values)) : null;
    if (field === null) general.push(quotedAs(detail, `${pointer}: ${detail}`));
    else if (field !== pointer) fields[field] ??= quotedAs(detail, `${partNamed(pointer.slice(field.length + 1))}: ${detail}`);
    // For the API, an empty text is one that is too short.
    else if (code === 'too_short' && values[field] === '') fields[field] ??= sentenceOf(text('is required'));
    else fields[field] ??= quotedAs(detail, sentenceOf(detail));
  }
  if (error.fields.length === 0) general.push(error.message);
  return { fields, general };
}

/** The name of a part of a field: `colour` of an object, and of a list the entry as people count, such as `Entry 2 (host)`. */
function partNamed(pointer: string): string {
  const [, place, member] = /^(\d+)(?:\/(.+))?$/.exec(pointer) ?? [];
  if (place === undefined) return pointer;
  const entry = text('Entry {number}', { number: Number(place) + 1 });
  return member === undefined ? entry : `${entry} (${member})`;
}
