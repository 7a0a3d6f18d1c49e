import type { UploadCapability } from '#contract/recordings.ts';
import type { StoredTake } from '#workers/take/messages.ts';
import { backOffMs } from '#base/back-off.ts';
import type { CallFailure } from '#device/outbox/failure.ts';
import type { Rejection } from '#device/records/take-record.ts';

/** The fields of a take that are needed to register it on the server. */
interface AttachableTake {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
  ownerId: string | null;
}

/** The server calls that an attachment needs. */
export interface TakeRegistry {
  /** The signed-in user, or null. */
  userId: () => string | null;
  /** Whether the signed-in user gets a take without an owner (decision 0018). */
  mayClaim: (takeId: string) => boolean;
  /** Calls `listener` when the session or the user's claims have changed. Returns a function that stops this. */
  onSessionChange: (listener: () => void) => () => void;
  /** Registers the take. `upload` is null if the server has finished it. */
  register: (
    take: AttachableTake,
    signal: AbortSignal,
  ) => Promise<{ upload: UploadCapability | null; title: string; stored: StoredTake }>;
  /** Makes a finished take accept uploads again. */
  reopen: (take: AttachableTake, signal: AbortSignal) => Promise<UploadCapability>;
  rename: (take: AttachableTake, signal: AbortSignal) => Promise<void>;
  failureOf: (error: unknown) => CallFailure;
  /** Why the server will never take the take, after a failure `never`. */
  rejectionOf: (error: unknown) => Rejection;
  /** Resolves after the delay, or earlier when the network returns or the signal aborts. */
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

export interface AttachmentSubject {
  take: () => AttachableTake;
  onAttached: (ownerId: string, upload: UploadCapability) => void;
  /** The server has finished the take. `stored` is what it has of it. */
  onStored: (ownerId: string, stored: StoredTake) => void;
  /** The server has this title now. */
  onTitleThere?: (title: string) => void;
  /** The take can't be registered in this session. Another session triggers a new attempt. */
  onUnowned?: () => void;
  /** The server will never take it. */
  onRejected?: (rejection: Rejection) => void;
}

export interface Attachment {
  /**
   * Call it if the take has no valid upload capability. Requests one as soon as an entitled user is signed in.
   * With `goesOn`, a take that the server has finished is reopened.
   */
  need: (how?: { goesOn: boolean }) => void;
  /** Call it when the title has changed. The server gets it once the take is registered. */
  renamed: () => void;
  close: () => void;
}

class TakeAttachment implements Attachment {
  readonly #subject: AttachmentSubject;
  readonly #registry: TakeRegistry;
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;
  #isNeeded = false;
  #goesOn = false;
  #isBusy = false;
  #isRejected = false;
  #titleThere: string | null = null;

  constructor(subject: AttachmentSubject, registry: TakeRegistry) {
    this.#subject = subject;
    this.#registry = registry;
    this.#stopListening = registry.onSessionChange(() => {
      void this.#run();
    });
  }

  need({ goesOn } = { goesOn: false }): void {
    this.#isNeeded = true;
    this.#goesOn ||= goesOn;
    void this.#run();
  }

  renamed(): void {
    void this.#run();
  }

  close(): void {
    this.#stopListening();
    this.#closing.abort();
  }

  /** The signed-in user if that user owns the take or may claim it; otherwise null. */
  #owner(): string | null {
    const userId = this.#registry.userId();
    const { id, ownerId } = this.#subject.take();
    const isTheirs = ownerId === null ? this.#registry.mayClaim(id) : ownerId === userId;
    return isTheirs ? userId : null;
  }

  #hasWork(): boolean {
    const hasTitle = this.#titleThere !== null && this.#titleThere !== this.#subject.take().title;
    return (this.#isNeeded || hasTitle) && !this.#isRejected && !this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    let failures = 0;
    for (let ownerId = this.#owner(); ownerId !== null && this.#hasWork(); ownerId = this.#owner()) {
      const failure = await this.#step(ownerId);
      if (failure === 'other-session') break;
      if (failure === 'later') await this.#registry.wait(backOffMs(failures), this.#closing.signal);
      failures += 1;
    }
    this.#isBusy = false;
    if (this.#isNeeded && !this.#closing.signal.aborted) this.#subject.onUnowned?.();
  }

  /** A title that is rejected says nothing of the take. */
  #reject(rejection: Rejection): void {
    this.#isRejected = true;
    if (this.#isNeeded) this.#subject.onRejected?.(rejection);
  }

  async #step(ownerId: string): Promise<CallFailure | null> {
    try {
      await (this.#isNeeded ? this.#attach(ownerId) : this.#sendTitle(ownerId));
      return null;
    } catch (error) {
      const failure = this.#registry.failureOf(error);
      if (failure === 'never') this.#reject(this.#registry.rejectionOf(error));
      return failure;
    }
  }

  async #attach(ownerId: string): Promise<void> {
    const take = { ...this.#subject.take(), ownerId };
    const { upload: issued, title, stored } = await this.#registry.register(take, this.#closing.signal);
    const upload =
      issued === null && this.#goesOn ? await this.#registry.reopen(take, this.#closing.signal) : issued;
    this.#isNeeded = false;
    this.#goesOn = false;
    this.#haveTitle(title);
    if (upload === null) this.#subject.onStored(ownerId, stored);
    else this.#subject.onAttached(ownerId, upload);
  }

  async #sendTitle(ownerId: string): Promise<void> {
    const take = { ...this.#subject.take(), ownerId };
    await this.#registry.rename(take, this.#closing.signal);
    this.#haveTitle(take.title);
  }

  #haveTitle(title: string): void {
    this.#titleThere = title;
    this.#subject.onTitleThere?.(title);
  }
}

/** Registers a take on the server, now or when session and network allow it, without affecting the recording. */
export function createAttachment(subject: AttachmentSubject, registry: TakeRegistry): Attachment {
  return new TakeAttachment(subject, registry);
}
