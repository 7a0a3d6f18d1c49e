import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import type { FieldProblems } from './field-errors.ts';

export interface TypedAccount {
  email: string;
  password: string;
}

/** What can be said before asking the server; it has the last word on everything. */
export function checkSignIn({ email, password }: TypedAccount): FieldProblems {
  return {
    ...(email.trim() === '' && { email: fieldMessage({ code: 'required' }) }),
    ...(password === '' && { password: fieldMessage({ code: 'required' }) }),
  };
}

export interface SignUpRules {
  /** False where a passkey opens the account instead. */
  hasPassword?: boolean;
  lacksSetUpCode?: boolean;
}

/** What can be said of a new account before the server is asked. */
export function checkSignUp(
  typed: TypedAccount,
  { hasPassword = true, lacksSetUpCode = false }: SignUpRules = {},
): FieldProblems {
  const problems: FieldProblems = {
    ...checkSignIn(typed),
    ...(hasPassword ? newPasswordErrors(typed.password) : { password: undefined }),
  };
  if (typed.email.trim() !== '' && !/^[^\s@]+@[^\s@]+$/u.test(typed.email.trim()))
    problems.email = fieldMessage({ code: 'email' });
  if (lacksSetUpCode) problems.setUpCode = fieldMessage({ code: 'required' });
  return present(problems);
}

/** The rules of length; how easy it is to guess is the server's to say. */
export function newPasswordErrors(password: string): FieldProblems {
  const { shortest, longest } = limits.password;
  const length = codePointLength(password);
  if (length === 0) return { password: fieldMessage({ code: 'required' }) };
  if (length < shortest) return { password: fieldMessage({ code: 'too-short', params: { shortest } }) };
  return length > longest ? { password: fieldMessage({ code: 'too-long', params: { longest } }) } : {};
}

/** A form is sent when nothing at all is left to say. */
const present = (problems: FieldProblems): FieldProblems =>
  Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
