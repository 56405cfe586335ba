import { createContext, useContext } from 'react';
import type { DraftForm } from './draft-form.js';

export const FormContext = createContext<DraftForm | null>(null);

/** The form around a field. */
export function useForm(): DraftForm {
  const form = useContext(FormContext);
  if (form === null) throw new Error('used outside of a form');
  return form;
}
