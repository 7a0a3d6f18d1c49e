import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import type { FieldProblems } from './field-errors.ts';

export interface TypedAccount {
  email: string;
  password: string;
}

/** Errors that can be found before the request. The server checks everything again. */
export function checkSignIn({ email, password }: TypedAccount): FieldProblems {
  return {
    ...(email.trim() === '' && { email: fieldMessage({ code: 'required' }) }),
    ...(password === '' && { password: fieldMessage({ code: 'required' }) }),
  };
}

export interface SignUpRules {
  /** False if the account is created with a passkey instead. */
  hasPassword?: boolean;
  lacksSetUpCode?: boolean;
}

/** Errors of a new account that can be found before the request. */
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

/** Checks the length. The server checks how easily the password can be guessed. */
export function newPasswordErrors(password: string): FieldProblems {
  const { minLength, maxLength } = limits.password;
  const length = codePointLength(password);
  if (length === 0) return { password: fieldMessage({ code: 'required' }) };
  if (length < minLength)
    return { password: fieldMessage({ code: 'too-short', params: { shortest: minLength } }) };
  return length > maxLength
    ? { password: fieldMessage({ code: 'too-long', params: { longest: maxLength } }) }
    : {};
}

/** Removes empty entries, because a form is sent only if the object has no keys. */
const present = (problems: FieldProblems): FieldProblems =>
  Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
