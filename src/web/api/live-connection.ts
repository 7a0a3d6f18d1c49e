import { createStore, type Store } from '#base/store.ts';
import { backOffMs } from '#base/back-off.ts';

export type LiveStatus = 'off' | 'connecting' | 'open' | 'waiting';

export interface LiveSource {
  /** Opens the stream; rejects where there is no network. */
  open(signal: AbortSignal): Promise<Response>;
  /** Called with the `data` of each event. */
  onData(data: string): void;
  /** Resolves after the pause before try number `failures`, or early when there is reason to hope. */
  pause(failures: number, signal: AbortSignal): Promise<void>;
}

/**
 * Maintains one connection for server-sent events (HTML §9.2), for one user at a time: the server decides whose
 * events a connection carries when it is opened.
 */
export class LiveConnection {
  readonly #source: LiveSource;
  readonly #status = createStore<LiveStatus>('off');
  #running: AbortController | null = null;
  #userId: string | null = null;

  constructor(source: LiveSource) {
    this.#source = source;
  }

  get status(): Store<LiveStatus> {
    return this.#status;
  }

  /** @param userId whose events are wanted; null: nobody's. Another user gets a new connection. */
  setUser(userId: string | null): void {
    if (userId === this.#userId) return;
    this.#userId = userId;
    this.#running?.abort();
    this.#running = userId === null ? null : new AbortController();
    if (this.#running) void this.#run(this.#running.signal);
    else this.#status.set('off');
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      this.#status.set('connecting');
      const wasOpen = await this.#connectOnce(signal);
      if (signal.aborted) return;
      failures = wasOpen ? 0 : failures + 1;
      this.#status.set('waiting');
      await this.#source.pause(failures, signal);
    }
  }

  /** One connection from opening to its end, however it ends; true when it was open for a while. */
  async #connectOnce(wanted: AbortSignal): Promise<boolean> {
    // However it ends, the connection is let go: a browser gives a server no more than six, and everything
    // else needs them.
    const attempt = new AbortController();
    const signal = AbortSignal.any([wanted, attempt.signal]);
    try {
      const response = await this.#source.open(signal);
      if (!response.ok || !response.body) return false;
      // Fetched here, because nothing of the first screen needs it.
      const { createParser } = await import('eventsource-parser');
      signal.throwIfAborted();
      this.#status.set('open');
      const parser = createParser({ onEvent: (event) => this.#source.onData(event.data) });
      // By hand: Safari cannot iterate over a stream.
      const reader = response.body.pipeThrough(new TextDecoderStream(), { signal }).getReader();
      for (
        let { done, value } = await reader.read();
        !done && !signal.aborted;
        { done, value } = await reader.read()
      )
        parser.feed(value ?? '');
      return true;
    } catch {
      // Broken off, rejected, or held and then dropped. The loop decides when to reconnect.
      return !wanted.aborted && this.#status.getSnapshot() === 'open';
    } finally {
      attempt.abort();
    }
  }
}

/**
 * A page that is hidden for less than this keeps its connection: looking at another window is no farewell.
 */
const graceMs = 30_000;

/** Reports at once that the page is looked at, and with a delay that it no longer is. */
export function onVisibilityChange(report: (isVisible: boolean) => void): void {
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(leaving);
    if (document.visibilityState === 'visible') report(true);
    else leaving = setTimeout(() => report(false), graceMs);
  };
  document.addEventListener('visibilitychange', look);
  look();
}

/** Waits before the next try, less when the network comes back; ends at once on abort. */
export function pauseBeforeReconnect(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, backOffMs(failures));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
