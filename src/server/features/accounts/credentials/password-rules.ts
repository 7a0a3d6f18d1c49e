import { codePointLength, foldForSearch } from '#base/text.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { deferred } from '#base/deferred.ts';
import { ProblemError } from '#server/http/problem.ts';

const productName = 'earshot';
/** zxcvbn scores go up to 4. Below 3, an attacker with the stolen hash can soon guess the password. */
const weakestScore = 3;
/** The time zxcvbn takes grows with the square of the length. A part of this length can be strong enough alone. */
const scoredLength = 40;
const minContextWordLength = 4;
const minRestLength = 8;

type ScoreOf = (text: string, contextWords: string[]) => number;

/** Its dictionaries would slow down the start of the server. */
const loadEstimator = deferred(async (): Promise<ScoreOf> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const made = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (text, contextWords) => made.check(text, contextWords).score;
});

/** A long password is scored by its first and its last characters. It is strong if either part is. */
function scoredParts(password: string): string[] {
  const characters = Array.from(password);
  if (characters.length <= scoredLength) return [password];
  return [characters.slice(0, scoredLength).join(''), characters.slice(-scoredLength).join('')];
}

async function isStrong(password: string, contextWords: string[]): Promise<boolean> {
  const scoreOf = await loadEstimator();
  return scoredParts(password).some((part) => scoreOf(part, contextWords) >= weakestScore);
}

/** Words that an attacker who knows this user would try first, longest first. */
function contextWordsOf(user: { email: string; displayName?: string | undefined }): string[] {
  const words = [
    productName,
    user.email,
    ...user.email.split(/[^\p{L}\p{N}]+/u),
    user.displayName ?? '',
    ...(user.displayName ?? '').split(/\s+/u),
  ];
  return [...new Set(words.map(foldForSearch))]
    .filter((word) => codePointLength(word) >= minContextWordLength)
    .toSorted((a, b) => b.length - a.length);
}

/** Whether removing these words leaves too little of the password, or only digits and punctuation. */
function isMadeOf(password: string, contextWords: string[]): boolean {
  const folded = foldForSearch(password);
  const rest = contextWords.reduce((text, word) => text.replaceAll(word, ''), folded);
  return (
    rest !== folded &&
    codePointLength(rest.replaceAll(/[^\p{L}]+/gu, '')) < minRestLength &&
    codePointLength(rest) < limits.password.minLength
  );
}

/**
 * Checks a new password by NIST SP 800-63B-4: a minimum length, no composition rules, and no easily guessed
 * passwords.
 * @param pointer JSON pointer of the field in the request
 * @throws password-too-short, password-context, password-common, or validation if it is too long (all 422)
 */
export async function checkNewPassword(
  password: string,
  user: { email: string; displayName?: string | undefined },
  pointer = '/password',
): Promise<void> {
  const reject = (code: ErrorCode, rule: { code: string; params?: Record<string, number> }): ProblemError =>
    new ProblemError(code, { errors: [{ pointer, ...rule }] });
  const { minLength, maxLength } = limits.password;
  const normalised = password.normalize('NFKC');
  const length = codePointLength(normalised);
  if (length < minLength)
    throw reject('password-too-short', { code: 'password-too-short', params: { shortest: minLength } });
  if (length > maxLength) throw reject('validation', { code: 'too-long', params: { longest: maxLength } });
  const contextWords = contextWordsOf(user);
  if (isMadeOf(normalised, contextWords)) throw reject('password-context', { code: 'password-context' });
  if (!(await isStrong(normalised, []))) throw reject('password-common', { code: 'password-common' });
  if (!(await isStrong(normalised, contextWords)))
    throw reject('password-context', { code: 'password-context' });
}
