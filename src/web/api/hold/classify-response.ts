import type { HoldReason } from './episode.ts';

/** What an answer means to the holder. Everything else about it is the caller's business. */
export type Verdict =
  | { kind: 'answer' }
  /** The person can turn the refusal into an answer. */
  | { kind: 'waits'; reason: HoldReason; code: string }
  | { kind: 'forbidden'; code: string }
  | { kind: 'principal-changed' };

const sessionCodes = new Set(['session-required', 'session-expired']);
const stepUpCode = 'reauthentication-required';
const answer: Verdict = { kind: 'answer' };

/**
 * Judges by the problem's code, never by the address: a wrong password is a 401 too, and no lost session;
 * without a code it is not the server that refuses. Leaves the body unread.
 */
export async function classifyResponse(response: Response): Promise<Verdict> {
  switch (response.status) {
    case 401:
      return judgeUnauthorized(await problemCode(response));
    case 403:
      return judgeForbidden(await problemCode(response));
    case 409:
      return (await problemCode(response)) === 'principal-changed' ? { kind: 'principal-changed' } : answer;
    default:
      return answer;
  }
}

function judgeUnauthorized(code: string | null): Verdict {
  return code !== null && sessionCodes.has(code) ? { kind: 'waits', reason: 'session', code } : answer;
}

function judgeForbidden(code: string | null): Verdict {
  if (code === null) return answer;
  return code === stepUpCode ? { kind: 'waits', reason: 'step-up', code } : { kind: 'forbidden', code };
}

/** The `code` of RFC 9457 problem details, read from a copy; null where the body is no problem. */
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
