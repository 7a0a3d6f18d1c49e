type Payload = Record<string, unknown> & { uid?: string; grantId?: string; consumed?: number };

/** Stores the local issuer's data in memory while it runs, with one store per model. */
export class MemoryAdapter {
  readonly #retained = new Map<string, Payload>();
  readonly #byUid = new Map<string, string>();

  upsert(id: string, payload: Payload): Promise<void> {
    this.#retained.set(id, payload);
    if (payload.uid !== undefined) this.#byUid.set(payload.uid, id);
    return Promise.resolve();
  }

  find(id: string): Promise<Payload | undefined> {
    return Promise.resolve(this.#retained.get(id));
  }

  findByUid(uid: string): Promise<Payload | undefined> {
    return this.find(this.#byUid.get(uid) ?? '');
  }

  /** Used only by the device flow, which is disabled. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#retained.get(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    await Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.#retained.delete(id);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#retained) if (payload.grantId === grantId) this.#retained.delete(id);
    return Promise.resolve();
  }
}
