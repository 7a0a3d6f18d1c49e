import type { SharedRecording } from '#contract/shares.ts';

/**
 * What a call to a link brought: `ended` also for an unknown link, `elsewhere` for a sign-in or a missing right,
 * `unreachable` for anything that is not an answer of the server.
 */
export type LinkAnswer<Value> =
  | { kind: 'ok'; value: Value }
  | { kind: 'ended' | 'elsewhere' | 'locked' | 'limited' | 'unreachable' };

/** The answers to a password. */
export type UnlockAnswer = 'open' | 'wrong' | 'limited' | 'locked' | 'unreachable';

/** Every call of the app has this header, which a form of another site cannot send (csrf-guard.ts). */
const ownHeaders = { 'X-Requested-With': 'earshot' };

/** A field of a problem (RFC 9457); empty if the answer is something else. */
const fieldOf = (body: unknown, name: 'code' | 'reason'): string =>
  typeof body === 'object' && body !== null ? String(new Map(Object.entries(body)).get(name) ?? '') : '';

function kindOf(status: number, code: string): Exclude<LinkAnswer<never>['kind'], 'ok'> {
  if (code === 'share-password-required') return 'locked';
  if (status === 410 || code === 'link-not-found') return 'ended';
  if (status === 401 || status === 403) return 'elsewhere';
  return status === 429 ? 'limited' : 'unreachable';
}

/** Calls the endpoints of one link. Nothing rejects. */
export class LinkClient {
  readonly #linkPath: string;

  constructor(linkPath: string) {
    this.#linkPath = linkPath;
  }

  /** Reads what the link shows now, without its markers and notes. */
  async recording(): Promise<LinkAnswer<SharedRecording>> {
    try {
      const response = await fetch(`${this.#linkPath}/recording?without=labels`, { cache: 'no-store' });
      const body: unknown = await response.json();
      return response.ok
        ? { kind: 'ok', value: body as SharedRecording }
        : { kind: kindOf(response.status, fieldOf(body, 'code')) };
    } catch {
      return { kind: 'unreachable' };
    }
  }

  /** The first bytes of the peaks; null if there are none. */
  async peaks(lengthBytes: number): Promise<Uint8Array | null> {
    try {
      const response = await fetch(`${this.#linkPath}/peaks`, {
        headers: { Range: `bytes=0-${lengthBytes - 1}` },
        cache: 'no-store',
      });
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
    } catch {
      return null;
    }
  }

  /** Whether the M4A can be requested: the server makes it on first use, and waits for it some seconds. */
  async m4a(): Promise<'ready' | 'preparing' | 'failed' | 'unplayable'> {
    try {
      const response = await fetch(`${this.#linkPath}/audio?format=m4a`, {
        headers: { Range: 'bytes=0-0' },
        cache: 'no-store',
      });
      if (response.ok) return 'ready';
      const body: unknown = await response.json();
      const code = fieldOf(body, 'code');
      if (code === 'share-not-started' || code === 'rate-limited') return 'preparing';
      return code.startsWith('conversion-') ? 'unplayable' : 'failed';
    } catch {
      return 'failed';
    }
  }

  /** Counts a listen, or one that reached the end. Returns whether the server counted it. */
  async startListen(isWhole = false): Promise<boolean> {
    try {
      const response = await fetch(`${this.#linkPath}/listens${isWhole ? '?whole=true' : ''}`, {
        method: 'POST',
        headers: ownHeaders,
        keepalive: true,
      });
      return response.ok;
    } catch {
      return false;
    }
  }

  async unlock(password: string): Promise<UnlockAnswer> {
    try {
      const response = await fetch(`${this.#linkPath}/unlock`, {
        method: 'POST',
        headers: { ...ownHeaders, 'Content-Type': 'application/json' },
        body: JSON.stringify({ password }),
      });
      if (response.ok) return 'open';
      const body: unknown = await response.json();
      if (fieldOf(body, 'code') === 'share-password-wrong') return 'wrong';
      if (response.status !== 429) return 'unreachable';
      return fieldOf(body, 'reason') === 'locked' ? 'locked' : 'limited';
    } catch {
      return 'unreachable';
    }
  }
}
