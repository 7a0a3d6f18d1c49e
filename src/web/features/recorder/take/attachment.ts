import type { UploadCapability } from '#contract/recordings.ts';
import type { StoredTake } from '#workers/take/messages.ts';
import { backOffMs } from '#base/back-off.ts';
import type { CallFailure } from '#device/outbox/failure.ts';

/** What registering a take on the server needs to know of it. */
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

/** The server as an attachment sees it. */
export interface TakeRegistry {
  /** Who is signed in, or null. */
  userId: () => string | null;
  /** Whether the signed-in user gets a take without an owner (decision 0018). */
  mayClaim: (takeId: string) => boolean;
  /** Calls back when the session, or what the user may claim, has changed. */
  onSessionChange: (listener: () => void) => () => void;
  /** `upload` is null where the server has finished the take. */
  register: (
    take: AttachableTake,
    signal: AbortSignal,
  ) => Promise<{ upload: UploadCapability | null; title: string; stored: StoredTake }>;
  /** Makes a finished take receive again. */
  reopen: (take: AttachableTake, signal: AbortSignal) => Promise<UploadCapability>;
  rename: (takeId: string, title: string, signal: AbortSignal) => Promise<void>;
  failureOf: (error: unknown) => CallFailure;
  /** Resolves after the time, or at once when the network comes back or the signal aborts. */
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

export interface AttachmentSubject {
  take: () => AttachableTake;
  onAttached: (ownerId: string, upload: UploadCapability) => void;
  /** The server has finished the take, and holds this of it. */
  onStored: (ownerId: string, stored: StoredTake) => void;
  /** The server has this title of it now. */
  onTitleThere?: (title: string) => void;
  /** Nobody here can give the take a home now; it is tried again with another session. */
  onUnowned?: () => void;
}

export interface Attachment {
  /**
   * The take has no right to upload, or lost it: fetch one as soon as somebody entitled is signed in. One
   * that goes on is reopened where it has been finished.
   */
  need: (how?: { goesOn: boolean }) => void;
  /** The title changed; the server hears of it once the take is there. */
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

  /** The signed-in user, who owns the take or may claim it; else null. */
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
      if (failure === 'never') this.#isRejected = true;
      if (failure === 'other-session') break;
      if (failure === 'later') await this.#registry.wait(backOffMs(failures), this.#closing.signal);
      failures += 1;
    }
    this.#isBusy = false;
    if (this.#isNeeded && !this.#closing.signal.aborted) this.#subject.onUnowned?.();
  }

  async #step(ownerId: string): Promise<CallFailure | null> {
    try {
      await (this.#isNeeded ? this.#attach(ownerId) : this.#sendTitle());
      return null;
    } catch (error) {
      return this.#registry.failureOf(error);
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

  async #sendTitle(): Promise<void> {
    const { id, title } = this.#subject.take();
    await this.#registry.rename(id, title, this.#closing.signal);
    this.#haveTitle(title);
  }

  #haveTitle(title: string): void {
    this.#titleThere = title;
    this.#subject.onTitleThere?.(title);
  }
}

/**
 * Gives a take its place on the server, now or whenever session and network allow it; never in the way of
 * recording.
 */
export function createAttachment(subject: AttachmentSubject, registry: TakeRegistry): Attachment {
  return new TakeAttachment(subject, registry);
}
