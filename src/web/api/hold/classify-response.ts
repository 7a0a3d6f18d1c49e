import type { HoldReason } from './episode.ts';

/** The meaning of a response for the hold client. Everything else about it concerns the caller. */
export type Verdict =
  | { kind: 'answer' }
  /** The user can turn the rejection into a success. */
  | { kind: 'waits'; reason: HoldReason; code: string }
  | { kind: 'forbidden'; code: string }
  | { kind: 'principal-changed' };

const sessionCodes = new Set(['session-required', 'session-expired']);
const stepUpCode = 'reauthentication-required';
const answer: Verdict = { kind: 'answer' };

/**
 * Classifies by the problem's code, never by the URL: a wrong password is a 401 too, but not a lost session, and a
 * response without a code comes from a proxy. Does not consume the body.
 */
export async function classifyResponse(response: Response): Promise<Verdict> {
  switch (response.status) {
    case 401:
      return classifyUnauthorized(await problemCode(response));
    case 403:
      return classifyForbidden(await problemCode(response));
    case 409:
      return (await problemCode(response)) === 'principal-changed' ? { kind: 'principal-changed' } : answer;
    default:
      return answer;
  }
}

function classifyUnauthorized(code: string | null): Verdict {
  return code !== null && sessionCodes.has(code) ? { kind: 'waits', reason: 'session', code } : answer;
}

function classifyForbidden(code: string | null): Verdict {
  if (code === null) return answer;
  return code === stepUpCode ? { kind: 'waits', reason: 'step-up', code } : { kind: 'forbidden', code };
}

/** The `code` of the problem details (RFC 9457), read from a clone; null if the body is not a problem. */
async function problemCode(response: Response): Promise<string | null> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return null;
  try {
    const body: unknown = await response.clone().json();
    return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
      ? body.code
      : null;
  } catch {
    return null;
  }
}
