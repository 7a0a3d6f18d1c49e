/** Who a request comes from, as the pipeline found out before any handler ran. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  role: 'member' | 'admin';
  sessionId: string;
  /** SHA-256 of the token that came: what it is exchanged by. */
  tokenHash: string;
  /**
   * When the person last gave a proof that a change of how the account is protected may rest on; 0: never in
   * this session.
   */
  authTimeMs: number;
}

/** The bearer of an append-only capability: may append to this one unfinished recording, and nothing else. */
export interface UploadPrincipal {
  kind: 'upload-capability';
  recordingId: string;
  /** Browser and system of the session that asked for the capability; empty where that is not known. */
  deviceLabel: string;
}

export type Principal = SessionPrincipal | UploadPrincipal;

/**
 * Finds out who sends a request. Implemented by the accounts and uploads features, called by the pipeline.
 */
export interface Identify {
  /** By session cookie; `expired` where a cookie came that no longer counts. */
  session(request: { cookieToken: string | null; ip: string }): Promise<SessionPrincipal | 'expired' | null>;
  /** By the token of an upload capability. */
  uploadCapability(token: string): Promise<UploadPrincipal | null>;
}
