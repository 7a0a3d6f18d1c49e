import type { LockedShare, OutsideShare, ShareGrant, ShareIdentification } from './share-grant.ts';

/** The sender of a request, identified by the pipeline before any handler runs. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  role: 'member' | 'admin';
  sessionId: string;
  /** SHA-256 of the presented token, by which rotation replaces it. */
  tokenHash: string;
  /**
   * When the user last gave a proof strong enough to change the account's protection; 0 if never in this session.
   */
  authTimeMs: number;
}

/** The bearer of an append-only capability, which may append to this one unfinished recording and nothing else. */
export interface UploadPrincipal {
  kind: 'upload-capability';
  recordingId: string;
  /** Browser and system of the session that requested the capability; empty if unknown. */
  deviceLabel: string;
}

export type Principal = SessionPrincipal | UploadPrincipal | ShareGrant | LockedShare | OutsideShare;

/** A request below a share's address. */
export interface ShareRequest {
  /** The path parameter `token`, as it came. */
  token: string;
  ip: string;
  /** The value of a cookie of this request. */
  cookie: (name: string) => string | undefined;
  /**
   * The session of the request, for shares whose audience has accounts. All other shares leave it alone, so that
   * their pages do not depend on who is signed in.
   * @throws session-required, session-expired (401) or principal-changed (409)
   */
  session: () => Promise<SessionPrincipal>;
}

/** Identifies the sender of a request. Features implement it; the pipeline calls it. */
export interface Identify {
  /** Identifies by session cookie. Returns `expired` for a cookie that is no longer valid. */
  session(request: { cookieToken: string | null; ip: string }): Promise<SessionPrincipal | 'expired' | null>;
  /** As `session`; while the database is lost, the administrators that it knew in the last minute. */
  sessionInOutage?: Identify['session'];
  /** Identifies by the token of an upload capability. */
  uploadCapability(token: string): Promise<UploadPrincipal | null>;
  /** Identifies by the token of a share. Absent where nothing is shared; then no token is known. */
  share?(request: ShareRequest): Promise<ShareIdentification>;
}
