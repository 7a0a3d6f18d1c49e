import type { z } from 'zod';
import type { FieldError } from '#contract/errors.ts';
import { ProblemError } from './problem.ts';

type Issue = z.core.$ZodIssue;
type Params = NonNullable<FieldError['params']>;

const escapePointer = (part: PropertyKey): string => String(part).replaceAll('~', '~0').replaceAll('/', '~1');
const pointerOf = (prefix: string, path: readonly PropertyKey[]): string =>
  prefix + path.map((part) => `/${escapePointer(part)}`).join('');

/** Our own rules use their code as the message, such as `too-long`; the library's messages are sentences. */
const namedRule = (message: string): string | null => (/^[a-z][a-z0-9-]*$/.test(message) ? message : null);

const plainParams = (params: Record<string, unknown> | undefined): Params | undefined => {
  const plain = Object.entries(params ?? {}).filter((entry): entry is [string, string | number] =>
    ['string', 'number'].includes(typeof entry[1]),
  );
  return plain.length > 0 ? Object.fromEntries(plain) : undefined;
};

function sizeError(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): {
  code: string;
  params: Params;
} {
  const counted = issue.origin === 'string' || issue.origin === 'array';
  if (issue.code === 'too_small')
    return { code: counted ? 'too-short' : 'too-small', params: { smallest: Number(issue.minimum) } };
  return { code: counted ? 'too-long' : 'too-large', params: { largest: Number(issue.maximum) } };
}

/** Maps an issue of the library to a rule. */
function libraryRule(issue: Issue): { code: string; params?: Params } {
  if (issue.code === 'too_small' || issue.code === 'too_big') return sizeError(issue);
  if (issue.code === 'invalid_format') return { code: issue.format };
  if (issue.code === 'invalid_value')
    return { code: 'not-allowed', params: { allowed: issue.values.map(String).join(', ') } };
  if (issue.code !== 'invalid_type') return { code: 'invalid' };
  return issue.message.endsWith('received undefined')
    ? { code: 'required' }
    : { code: 'type', params: { expected: issue.expected } };
}

function ruleOf(issue: Issue): { code: string; params?: Params | undefined } {
  const named = namedRule(issue.message);
  if (named !== null)
    return { code: named, params: issue.code === 'custom' ? plainParams(issue.params) : undefined };
  return libraryRule(issue);
}

function fieldErrorsOf(issue: Issue, prefix: string): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointerOf(prefix, [...issue.path, key]),
      code: 'unknown-field',
    }));
  }
  const { code, params } = ruleOf(issue);
  return [{ pointer: pointerOf(prefix, issue.path), code, ...(params ? { params } : {}) }];
}

/** Creates a validation problem (422) for one rejected field, for rules beyond a schema. */
export function rejectField(pointer: string, code: string, params?: Params): ProblemError {
  return new ProblemError('validation', { errors: [{ pointer, code, ...(params ? { params } : {}) }] });
}

/**
 * Characters that no database stores unchanged: U+0000, which PostgreSQL rejects, and lone surrogates, which UTF-8
 * cannot encode.
 */
const unstorable = /\0|\p{Surrogate}/u;

/** Finds the first field with such text, in every field at any depth. */
function pointerToUnstorable(value: unknown, pointer: string): string | null {
  if (typeof value === 'string') return unstorable.test(value) ? pointer : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = pointerToUnstorable(inner, pointerOf(pointer, [key]));
    if (found !== null) return found;
  }
  return null;
}

/**
 * Parses one part of a request.
 * @throws validation (422) with a pointer and a rule for every rejected field
 */
export function parsePart(schema: z.ZodType, value: unknown, prefix: '' | '/query' | '/headers'): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new ProblemError('validation', {
      errors: parsed.error.issues.flatMap((issue) => fieldErrorsOf(issue, prefix)),
    });
  const pointer = pointerToUnstorable(parsed.data, prefix);
  if (pointer !== null) throw rejectField(pointer, 'control-characters');
  return parsed.data;
}
