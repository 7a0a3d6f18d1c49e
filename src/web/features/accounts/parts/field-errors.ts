import type { MessageDescriptor } from '@lingui/core';
import { ApiError } from '#web/api/api-error.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { fieldMessage } from '#web/api/field-message.ts';

export type AccountField =
  | 'email'
  | 'password'
  | 'currentPassword'
  | 'displayName'
  | 'code'
  | 'name'
  | 'setUpCode';

/** The error messages for each field, and for the form as a whole. */
export type FieldProblems = { [Field in AccountField | 'form']?: MessageDescriptor | undefined };

const fieldOfCode: Record<string, AccountField> = {
  'invalid-credentials': 'password',
  'password-too-short': 'password',
  'password-common': 'password',
  'password-context': 'password',
  'email-taken': 'email',
  'mfa-invalid': 'code',
  'code-invalid': 'code',
  'set-up-code-invalid': 'setUpCode',
};

const fieldOfPointer: Record<string, AccountField> = {
  '/email': 'email',
  '/password': 'password',
  '/newPassword': 'password',
  '/currentPassword': 'currentPassword',
  '/displayName': 'displayName',
  '/code': 'code',
  '/name': 'name',
  '/setUpCode': 'setUpCode',
};

/**
 * Assigns an error to its field by its code or pointers; everything else belongs to the form.
 * @param placed fields of codes that differ from the default in this form
 */
export function problemsOf(error: unknown, placed: Record<string, AccountField> = {}): FieldProblems {
  const field = error instanceof ApiError ? (placed[error.code] ?? fieldOfCode[error.code]) : undefined;
  if (field) return { [field]: messageOf(error) };
  const byField: FieldProblems = {};
  for (const rejected of rejectedFields(error)) {
    const name = fieldOfPointer[rejected.pointer];
    if (name) byField[name] ??= fieldMessage(rejected);
  }
  return Object.keys(byField).length > 0 ? byField : { form: messageOf(error) };
}

const rejectedFields = (error: unknown) =>
  error instanceof ApiError && error.code === 'validation' ? (error.problem?.errors ?? []) : [];
