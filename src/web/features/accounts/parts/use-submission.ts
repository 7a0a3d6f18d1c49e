import { useRef, useState, type FormEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { problemsOf, type AccountField, type FieldProblems } from './field-errors.ts';

export interface Submission {
  formRef: RefObject<HTMLFormElement | null>;
  problems: FieldProblems;
  isPending: boolean;
  handleSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Removes a field's error when the user edits the field. */
  clearError: (field: keyof FieldProblems) => void;
}

/**
 * Checks and submits a form. On an error it shows a message next to the field and moves the focus there, without
 * discarding the input.
 * @param placed fields of error codes that differ from the default in this form
 */
export function useSubmission(
  check: () => FieldProblems,
  send: () => Promise<void>,
  placed?: Record<string, AccountField>,
): Submission {
  const formRef = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<FieldProblems>({});
  const [isPending, setPending] = useState(false);

  const reject = (found: FieldProblems) => {
    flushSync(() => {
      setPending(false);
      setProblems(found);
    });
    formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };

  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const found = check();
    if (Object.keys(found).length > 0) return reject(found);
    setProblems({});
    setPending(true);
    send().then(
      () => setPending(false),
      (error: unknown) => reject(problemsOf(error, placed)),
    );
  };

  const clearError = (field: keyof FieldProblems) =>
    setProblems((before) => ({ ...before, [field]: undefined }));

  return { formRef, problems, isPending, handleSubmit, clearError };
}
