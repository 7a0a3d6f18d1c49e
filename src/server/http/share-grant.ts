import type { ShareAccess } from '#contract/endpoint.ts';
import type { ShareEndReason } from '#contract/shares.ts';
import { rateLimited } from './rate-limited.ts';
import { ProblemError } from './problem.ts';

/** A share that its bearer may listen to. */
export interface OpenShare {
  shareId: string;
  recordingId: string;
  /** The id of the visit in which the password was entered, or a counted listen started; null if there is none. */
  visit: string | null;
  /** The revision of the share whose settings allow this. */
  revision: number;
  /** The session of the listener, if the share is for users with an account; null for everybody else. */
  sessionId: string | null;
}

/** Whether a user for whom a share is not can ask for access. */
export type AccessRequestState = 'possible' | 'asked' | 'impossible';

/**
 * What a token gives its bearer. State, audience and password were checked, in this order. `not-found` is the same
 * for an unknown and a malformed token.
 */
export type ShareIdentification =
  | { kind: 'open'; share: OpenShare }
  | { kind: 'password-required'; shareId: string }
  | { kind: 'not-started'; shareId: string; retryAfterSeconds: number }
  | { kind: 'not-found' }
  | { kind: 'ended'; reason: ShareEndReason }
  | { kind: 'not-for-you'; shareId: string; userId: string; request: AccessRequestState }
  | { kind: 'rate-limited'; waitMs: number };

/** Set by the class, so that nothing outside of this module can construct a grant. */
let grantOf: (share: OpenShare) => ShareGrant;

/**
 * The right to listen to a shared recording, as a principal. It names the recording, so its handlers take no id from
 * the client. Only `principalOfShare` makes one, and only the identification step calls it (.dependency-cruiser.cjs).
 */
export class ShareGrant implements OpenShare {
  readonly kind = 'share';
  readonly #share: OpenShare;

  private constructor(share: OpenShare) {
    this.#share = { ...share };
  }

  static {
    grantOf = (share) => new ShareGrant(share);
  }

  get shareId(): string {
    return this.#share.shareId;
  }

  get recordingId(): string {
    return this.#share.recordingId;
  }

  get visit(): string | null {
    return this.#share.visit;
  }

  get revision(): number {
    return this.#share.revision;
  }

  get sessionId(): string | null {
    return this.#share.sessionId;
  }
}

/** The bearer of an active share's token who can't listen yet. It opens no recording. */
export interface LockedShare {
  kind: 'share-locked';
  shareId: string;
  lacks: 'password' | 'start';
}

/** A signed-in user for whom a share is not. They can ask for access, and nothing else. */
export interface OutsideShare {
  kind: 'share-outsider';
  shareId: string;
  userId: string;
}

/** RFC 9110 §11.6.1 requires a challenge. Its scheme is not that of sessions, so that no client starts a sign-in. */
const shareChallenge = { 'WWW-Authenticate': 'Share realm="earshot-share"' };

/**
 * Returns the principal of a request with a share's token. A locked share, and a user for whom it is not, are
 * principals only where the endpoint accepts them.
 * @throws share-password-required (401), share-not-for-you (403), link-not-found (404), share-not-started (409),
 * share-ended (410) with its reason, rate-limited (429)
 */
export function principalOfShare(
  found: ShareIdentification,
  access: ShareAccess,
): ShareGrant | LockedShare | OutsideShare {
  const mayBeLocked = access !== 'share';
  switch (found.kind) {
    case 'open':
      return grantOf(found.share);
    case 'password-required':
      if (mayBeLocked) return { kind: 'share-locked', shareId: found.shareId, lacks: 'password' };
      throw new ProblemError('share-password-required', { headers: shareChallenge });
    case 'not-started':
      if (mayBeLocked) return { kind: 'share-locked', shareId: found.shareId, lacks: 'start' };
      throw new ProblemError('share-not-started', { retryAfterSeconds: found.retryAfterSeconds });
    case 'not-found':
      throw new ProblemError('link-not-found');
    case 'ended':
      throw new ProblemError('share-ended', { reason: found.reason });
    case 'not-for-you':
      if (access === 'share-outsider' && found.request !== 'impossible')
        return { kind: 'share-outsider', shareId: found.shareId, userId: found.userId };
      throw new ProblemError('share-not-for-you', { reason: found.request });
    case 'rate-limited':
      throw rateLimited(found.waitMs);
  }
}
