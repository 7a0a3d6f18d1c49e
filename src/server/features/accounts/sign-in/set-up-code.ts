import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '#server/http/problem.ts';
import { hasNoUser } from '#server/features/accounts/users-store.ts';
import type { SignInDeps, SignUpPolicy } from './sign-in-deps.ts';

/** Crockford's alphabet: no letter that is taken for a digit or for another letter. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const charactersPerGroup = 4;

/**
 * The set-up code of an installation: 60 bits that stay the same over restarts and on every server of one
 * database, and are stored nowhere.
 */
export function setUpCodeOf(secretKey: Uint8Array): string {
  const digest = createHmac('sha256', secretKey).update('set-up code').digest();
  const characters = [...digest.subarray(0, groups * charactersPerGroup)]
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('');
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * charactersPerGroup, (group + 1) * charactersPerGroup),
  ).join('-');
}

/** As it is compared: case, blanks and dashes make no difference, and what looks alike counts as alike. */
const folded = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');

function isRight(expected: string, given: string): boolean {
  const [wanted, got] = [Buffer.from(folded(expected)), Buffer.from(folded(given))];
  return wanted.length === got.length && timingSafeEqual(wanted, got);
}

/** The refusal of a first account without the right set-up code. */
const setUpCodeInvalid = (): ProblemError =>
  new ProblemError('set-up-code-invalid', {
    errors: [{ pointer: '/setUpCode', code: 'set-up-code-invalid' }],
  });

/**
 * Checks, where a sign-up begins, the set-up code of an installation that has no account yet. Throws
 * set-up-code-invalid (422).
 * @returns whether this sign-up may make the first account
 */
export async function checkSetUpCode(
  context: Pick<SignInDeps, 'database' | 'setUpCode'>,
  given: string | undefined,
): Promise<boolean> {
  if (context.setUpCode === null) return true;
  if (!(await hasNoUser(context.database.queries))) return false;
  if (!isRight(context.setUpCode, given ?? '')) throw setUpCodeInvalid();
  return true;
}

/**
 * Refuses, in the transaction that makes the first account, a sign-up that began without the set-up code.
 * Throws set-up-code-invalid (422).
 */
export function requireSetUp(
  context: Pick<SignUpPolicy, 'setUpCode'>,
  { isFirst, isSetUp }: { isFirst: boolean; isSetUp: boolean },
): void {
  if (isFirst && !isSetUp && context.setUpCode !== null) throw setUpCodeInvalid();
}
