type Payload = Record<string, unknown> & { uid?: string; grantId?: string; consumed?: number };

/**
 * Where the local issuer keeps what it has in hand: in memory, for as long as it runs. One store for each of
 * its models.
 */
export class MemoryAdapter {
  readonly #kept = new Map<string, Payload>();
  readonly #byUid = new Map<string, string>();

  upsert(id: string, payload: Payload): Promise<void> {
    this.#kept.set(id, payload);
    if (payload.uid !== undefined) this.#byUid.set(payload.uid, id);
    return Promise.resolve();
  }

  find(id: string): Promise<Payload | undefined> {
    return Promise.resolve(this.#kept.get(id));
  }

  findByUid(uid: string): Promise<Payload | undefined> {
    return this.find(this.#byUid.get(uid) ?? '');
  }

  /** Of the device flow, which is off. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#kept.get(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    await Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.#kept.delete(id);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#kept) if (payload.grantId === grantId) this.#kept.delete(id);
    return Promise.resolve();
  }
}
