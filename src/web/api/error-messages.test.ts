import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { errorStatus } from '#contract/errors.ts';
import { ApiError } from './api-error.ts';
import { browserMessages, serverMessages } from './error-codes.ts';
import { messageOf } from './error-messages.ts';
import { fieldMessage } from './field-message.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (error: unknown) => i18n._(messageOf(error));
const rejection = (code: string, status: number, more: { retryAfter?: number } = {}) =>
  new ApiError({
    code,
    status,
    problem: {
      type: `/problems/${code}`,
      title: code,
      status,
      instance: 'urn:uuid:0190b1a2-1111',
      code,
      ...more,
    },
  });

const general = said(new Error('anything'));

describe('messageOf', () => {
  it.each(Object.entries(errorStatus))('has a message for the server’s code %s', (code, status) => {
    expect(Object.keys(serverMessages)).toContain(code);
    expect(said(rejection(code, status)).length).toBeGreaterThan(10);
    expect(said(rejection(code, status))).not.toBe(general);
    expect(said(rejection(code, status))).not.toContain('0190b1a2');
  });

  it.each([
    'microphone-refused',
    'microphone-missing',
    'microphone-busy',
    'insecure-page',
    'storage-refused',
    'storage-full',
    'format-unsupported',
    'offline',
    'hold-timeout',
    'login-cancelled',
  ])('has a message for the browser’s code %s', (code) => {
    expect(Object.keys(browserMessages)).toContain(code);
    expect(said({ code })).not.toBe(general);
  });

  it('names the address at which signing in with a provider works', () => {
    const problem = {
      type: '/problems/provider-other-address',
      title: '',
      status: 421,
      instance: 'urn:uuid:1',
      code: 'provider-other-address',
      detail: 'http://localhost:3000',
    };
    expect(said(new ApiError({ code: problem.code, status: 421, problem }))).toContain(
      'http://localhost:3000',
    );
  });

  it('distinguishes a full server from a full device', () => {
    expect(said(rejection('storage-full', 507))).toContain('server');
    expect(said({ code: 'storage-full' })).toContain('device');
  });

  it('says how long to wait, in seconds and then in minutes', () => {
    expect(said(rejection('rate-limited', 429, { retryAfter: 1 }))).toContain('in 1 second.');
    expect(said(rejection('rate-limited', 429, { retryAfter: 8 }))).toContain('in 8 seconds.');
    expect(said(rejection('rate-limited', 429, { retryAfter: 181 }))).toContain('in 4 minutes.');
  });

  it('returns the general message with the reference of the response for an unknown code', () => {
    expect(said(rejection('of-a-later-version', 418))).toContain('\u20660190b1a2-1111\u2069');
  });

  it('returns the general message for any other value and for names of Object.prototype', () => {
    expect(said(null)).toBe(general);
    expect(said({ code: 'constructor' })).toBe(general);
  });
});

describe('fieldMessage', () => {
  const beside = (code: string, params?: Record<string, string | number>) =>
    i18n._(fieldMessage({ code, params }));

  it('names the limit, whether the app or the schema library set it', () => {
    expect(beside('too-long', { longest: 80 })).toContain('80');
    expect(beside('too-long', { largest: 254 })).toContain('254');
    expect(beside('too-short', { shortest: 15 })).toContain('15');
  });

  it('says that the field is required if nothing was typed', () => {
    expect(beside('too-short', { smallest: 1 })).toBe(beside('required'));
  });
});
