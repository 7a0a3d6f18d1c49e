import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { FieldError } from '#contract/errors.ts';

const fixed: Record<string, MessageDescriptor> = {
  required: msg`Fill in this field.`,
  email: msg`Enter a full email address, like name@example.com.`,
  'control-characters': msg`There are invisible characters in this field. Type the text instead of pasting it.`,
  'not-allowed': msg`Choose one of the options.`,
  'unknown-field': msg`The server doesn’t recognise this field. Reload the page: there may be a newer version.`,
};

/** The message beside a field for the rule that its value broke; see `validation` in the error catalogue. */
export function fieldMessage({ code, params = {} }: Pick<FieldError, 'code' | 'params'>): MessageDescriptor {
  if (code === 'too-long') return tooLong(numberOf(params, ['longest', 'largest']));
  if (code === 'too-short') return tooShort(numberOf(params, ['shortest', 'smallest']));
  return fixed[code] ?? msg`That value can’t be used here. Change it and try again.`;
}

/** Our own rules and the schema library use different names for the same limit. */
function numberOf(params: NonNullable<FieldError['params']>, names: string[]): number {
  const found = names.map((name) => Number(params[name])).find((value) => Number.isFinite(value));
  return found ?? 0;
}

function tooLong(longest: number): MessageDescriptor {
  return longest > 0
    ? msg`${plural(longest, { one: 'Use # character at most.', other: 'Use # characters at most.' })}`
    : msg`Use fewer characters.`;
}

function tooShort(shortest: number): MessageDescriptor {
  return shortest > 1
    ? msg`${plural(shortest, { one: 'Use at least # character.', other: 'Use at least # characters.' })}`
    : msg`Fill in this field.`;
}
