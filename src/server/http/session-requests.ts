import type { FastifyReply } from 'fastify';

/**
 * Registers the long responses of sessions, so that they end with the session. It covers one process: where
 * several share a database, `SessionWatch` finds sessions that another one ended.
 */
export class SessionRequests {
  readonly #open = new Map<string, Set<FastifyReply>>();

  /** Registers a response until it is complete. */
  enter(sessionId: string, reply: FastifyReply): void {
    // A client that disconnected while the session was looked up has already closed it; no further event follows.
    if (reply.raw.destroyed) return;
    const replies = this.#open.get(sessionId) ?? new Set();
    this.#open.set(sessionId, replies.add(reply));
    reply.raw.once('close', () => {
      replies.delete(reply);
      if (replies.size === 0 && this.#open.get(sessionId) === replies) this.#open.delete(sessionId);
    });
  }

  /** Returns the ids of sessions with an open response. */
  sessionIds(): string[] {
    return [...this.#open.keys()];
  }

  /** Aborts all open responses of a session. */
  endSession(sessionId: string): void {
    for (const reply of this.#open.get(sessionId) ?? []) reply.raw.destroy();
  }
}
