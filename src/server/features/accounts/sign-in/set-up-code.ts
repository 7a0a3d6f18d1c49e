import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '#server/http/problem.ts';
import { hasNoUser } from '#server/features/accounts/users-store.ts';
import type { SignInDeps, SignUpPolicy } from './sign-in-deps.ts';

/** Crockford's base32 alphabet, without letters that look like digits or other letters. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const charactersPerGroup = 4;

/**
 * The set-up code of an installation: 60 bits derived from the secret key. It is therefore stored nowhere,
 * survives restarts, and is the same on all servers that share a database.
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

/** Normalises a code for comparison: ignores case, spaces and hyphens, and maps lookalike letters to digits. */
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

/** The error for a first account without the right set-up code. */
const setUpCodeInvalid = (): ProblemError =>
  new ProblemError('set-up-code-invalid', {
    errors: [{ pointer: '/setUpCode', code: 'set-up-code-invalid' }],
  });

/**
 * Checks the set-up code at the start of a sign-up if the installation has no account yet.
 * @returns whether this sign-up may create the first account
 * @throws set-up-code-invalid (422)
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
 * Rejects a sign-up that was started without the set-up code, in the transaction that would create the first
 * account.
 * @throws set-up-code-invalid (422)
 */
export function requireSetUp(
  context: Pick<SignUpPolicy, 'setUpCode'>,
  { isFirst, isSetUp }: { isFirst: boolean; isSetUp: boolean },
): void {
  if (isFirst && !isSetUp && context.setUpCode !== null) throw setUpCodeInvalid();
}
