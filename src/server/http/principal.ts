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

export type Principal = SessionPrincipal | UploadPrincipal;

/** Identifies the sender of a request. The accounts and uploads features implement it; the pipeline calls it. */
export interface Identify {
  /** Identifies by session cookie. Returns `expired` for a cookie that is no longer valid. */
  session(request: { cookieToken: string | null; ip: string }): Promise<SessionPrincipal | 'expired' | null>;
  /** Identifies by the token of an upload capability. */
  uploadCapability(token: string): Promise<UploadPrincipal | null>;
}
