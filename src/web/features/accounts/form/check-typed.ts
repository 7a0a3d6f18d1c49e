import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import type { FieldProblems } from './field-problems.ts';

export interface TypedAccount { email: string; password: string; displayName: string }

/** What can be said before asking the server; it has the last word on everything. */
export function checkSignIn({ email, password }: TypedAccount): FieldProblems {
  return {
    ...(email.trim() === '' && { email: fieldMessage({ code: 'required' }) }),
    ...(password === '' && { password: fieldMessage({ code: 'required' }) }),
  };
}

export function checkSignUp(typed: TypedAccount): FieldProblems {
  const { shortest, longest } = limits.password;
  const length = codePointLength(typed.password);
  const problems = checkSignIn(typed);
  if (typed.email.trim() !== '' && !/^[^\s@]+@[^\s@]+$/u.test(typed.email.trim())) problems.email = fieldMessage({ code: 'email' });
  if (length > 0 && length < shortest) problems.password = fieldMessage({ code: 'too-short', params: { shortest } });
  if (length > longest) problems.password = fieldMessage({ code: 'too-long', params: { longest } });
  return problems;
}
