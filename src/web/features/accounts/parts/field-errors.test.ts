import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { checkSignIn, checkSignUp } from './check-typed.ts';
import { problemsOf } from './field-errors.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const rejection = (
  code: string,
  status: number,
  errors?: { pointer: string; code: string; params?: Record<string, number> }[],
) =>
  new ApiError({
    code,
    status,
    problem: {
      type: `/problems/${code}`,
      title: code,
      status,
      instance: 'urn:uuid:1',
      code,
      ...(errors ? { errors } : {}),
    },
  });
const fieldsOf = (error: unknown) => Object.keys(problemsOf(error));

describe('an error is shown', () => {
  it.each([
    ['invalid-credentials', 401, 'password'],
    ['password-too-short', 422, 'password'],
    ['password-common', 422, 'password'],
    ['password-context', 422, 'password'],
    ['email-taken', 409, 'email'],
    ['rate-limited', 429, 'form'],
    ['account-disabled', 403, 'form'],
    ['internal', 500, 'form'],
  ])('for %s (%i) at: %s', (code, status, field) => {
    expect(fieldsOf(rejection(code, status))).toEqual([field]);
  });

  it('next to every field that the server names', () => {
    const found = problemsOf(
      rejection('validation', 422, [
        { pointer: '/email', code: 'email' },
        { pointer: '/displayName', code: 'too-long', params: { longest: 80 } },
      ]),
    );
    expect(Object.keys(found)).toEqual(['email', 'displayName']);
    expect(found.displayName && i18n._(found.displayName)).toContain('80');
  });

  it('above the form if the server names a field that is not in it', () => {
    expect(fieldsOf(rejection('validation', 422, [{ pointer: '/nonsense', code: 'unknown-field' }]))).toEqual(
      ['form'],
    );
  });

  it('above the form if there was no response', () => {
    expect(fieldsOf(new ApiError({ code: 'offline', status: 0, problem: null }))).toEqual(['form']);
  });
});

describe('checks before the request', () => {
  const typed = { email: 'ann@example.org', password: 'three plain words here' };

  it('find no errors in a complete form', () => {
    expect(checkSignIn(typed)).toEqual({});
    expect(checkSignUp(typed)).toEqual({});
  });

  it('name the missing fields', () => {
    expect(Object.keys(checkSignIn({ email: ' ', password: '' }))).toEqual(['email', 'password']);
  });

  it('reject a short password at sign-up only, counting characters instead of code units', () => {
    expect(Object.keys(checkSignUp({ ...typed, password: 'x'.repeat(14) }))).toEqual(['password']);
    expect(Object.keys(checkSignUp({ ...typed, password: '🎙'.repeat(14) }))).toEqual(['password']);
    expect(checkSignUp({ ...typed, password: '🎙'.repeat(15) })).toEqual({});
    expect(checkSignIn({ ...typed, password: 'short' })).toEqual({});
  });

  it('require text on both sides of a single @ in an address, in any script', () => {
    for (const email of ['ann', 'ann@', '@b', 'a b@c', 'a@b@c'])
      expect(Object.keys(checkSignUp({ ...typed, email }))).toEqual(['email']);
    expect(checkSignUp({ ...typed, email: 'ängel@bücher.example' })).toEqual({});
  });
});
