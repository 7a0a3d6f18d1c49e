import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { FieldError } from '#contract/errors.ts';

const fixed: Record<string, MessageDescriptor> = {
  required: msg`This is needed.`,
  email: msg`This does not look like an e-mail address.`,
  'control-characters': msg`This contains characters that cannot be seen. Type it again instead of pasting it.`,
  'not-allowed': msg`Choose one of the values offered.`,
  'unknown-field': msg`The server does not know this field. Reload the page: a newer version may be running.`,
};

/** Words beside a field for the rule that refused what is in it; see `validation` in the error catalogue. */
export function fieldMessage({ code, params = {} }: Pick<FieldError, 'code' | 'params'>): MessageDescriptor {
  if (code === 'too-long') return tooLong(numberOf(params, ['longest', 'largest']));
  if (code === 'too-short') return tooShort(numberOf(params, ['shortest', 'smallest']));
  return fixed[code] ?? msg`This cannot be used here. Change it and try again.`;
}

/** A rule of ours and a rule of the schema library call the same bound by different names. */
function numberOf(params: NonNullable<FieldError['params']>, names: string[]): number {
  const found = names.map((name) => Number(params[name])).find((value) => Number.isFinite(value));
  return found ?? 0;
}

function tooLong(longest: number): MessageDescriptor {
  return longest > 0 ? msg`${plural(longest, { one: 'At most # character fits here.', other: 'At most # characters fit here.' })}` : msg`This is too long.`;
}

function tooShort(shortest: number): MessageDescriptor {
  return shortest > 1 ? msg`${plural(shortest, { one: 'At least # character is needed.', other: 'At least # characters are needed.' })}` : msg`This is needed.`;
}
