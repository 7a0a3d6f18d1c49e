import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { ApiError } from './api-error.ts';
import { browserMessages, serverMessages } from './error-codes.ts';
import { useLingui } from '@lingui/react';
import { useCallback } from 'react';

const secondsPerMinute = 60;
/** Longer waits are given in minutes. */
const longInSeconds = 90;

const hasOwn = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key);

/**
 * The message for any failure: by its code, else a general one with the reference that helps to find it in the
 * server's log.
 */
export function messageOf(error: unknown): MessageDescriptor {
  if (!(error instanceof ApiError)) return messageForCode(codeOf(error)) ?? general;
  const { code, problem, status } = error;
  const detailed = messageWithDetails(error);
  if (detailed) return detailed;
  // `storage-full` exists in the browser and on the server. Only a response of the server has a status.
  const message = status > 0 && hasOwn(serverMessages, code) ? serverMessages[code] : messageForCode(code);
  return message ?? (problem ? generalWithNumber(problem.instance) : general);
}

/** The message for a problem that has more details than its code. */
function messageWithDetails({ code, problem }: ApiError): MessageDescriptor | null {
  if (code === 'rate-limited' && problem?.retryAfter) return tryAgainAfter(problem.retryAfter);
  return code === 'provider-other-address' && problem?.detail !== undefined
    ? atOtherAddress(problem.detail)
    : null;
}

const general: MessageDescriptor = msg`Something went wrong. Your recording is safe. Try again.`;

/** The reference is isolated (LRI … PDI), so that it reads left to right in every language. */
function generalWithNumber(instance: string): MessageDescriptor {
  const number = `\u2066${instance.replace(/^urn:uuid:/, '')}\u2069`;
  return msg`Something went wrong. If it keeps happening, give this reference to the person who runs this server: ${number}`;
}

/** The address is isolated too. */
function atOtherAddress(detail: string): MessageDescriptor {
  const address = `\u2066${detail}\u2069`;
  return msg`Signing in with a provider works only at ${address}. Open Earshot there.`;
}

function messageForCode(code: string | null): MessageDescriptor | null {
  if (code === null) return null;
  if (hasOwn(browserMessages, code)) return browserMessages[code];
  return hasOwn(serverMessages, code) ? serverMessages[code] : null;
}

function codeOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}

function tryAgainAfter(seconds: number): MessageDescriptor {
  if (seconds < longInSeconds)
    return msg`Too many attempts. ${plural(seconds, { one: 'Try again in # second.', other: 'Try again in # seconds.' })}`;
  const minutes = Math.ceil(seconds / secondsPerMinute);
  return msg`Too many attempts. ${plural(minutes, { one: 'Try again in # minute.', other: 'Try again in # minutes.' })}`;
}

/** Returns a function that gives the message for any failure, in the interface language. */
export function useErrorMessage(): (error: unknown) => string {
  const { i18n } = useLingui();
  return useCallback((error: unknown) => i18n._(messageOf(error)), [i18n]);
}
