import type { FastifyReply } from 'fastify';

/**
 * The long answers that are on their way in the name of a session, so that they end with it. Of one process:
 * where several share a database, a session that another one ended is found by `SessionWatch`.
 */
export class SessionRequests {
  readonly #open = new Map<string, Set<FastifyReply>>();

  /** Notes an answer until it is out. */
  enter(sessionId: string, reply: FastifyReply): void {
    // Who left while the session was looked up has closed it already, and nothing will say so again.
    if (reply.raw.destroyed) return;
    const replies = this.#open.get(sessionId) ?? new Set();
    this.#open.set(sessionId, replies.add(reply));
    reply.raw.once('close', () => {
      replies.delete(reply);
      if (replies.size === 0 && this.#open.get(sessionId) === replies) this.#open.delete(sessionId);
    });
  }

  /** Ids of the sessions that have an answer on its way. */
  sessionIds(): string[] {
    return [...this.#open.keys()];
  }

  /** Cuts what a session has open. */
  endSession(sessionId: string): void {
    for (const reply of this.#open.get(sessionId) ?? []) reply.raw.destroy();
  }
}
