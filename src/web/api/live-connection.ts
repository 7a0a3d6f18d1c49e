import { createStore, type Store } from '#base/store.ts';

export type LiveStatus = 'off' | 'connecting' | 'open' | 'waiting';

export interface LiveSource {
  /** Opens the stream; rejects without a network. */
  open(signal: AbortSignal): Promise<Response>;
  /** Called with the `data` of each event. */
  onData(data: string): void;
  /** Resolves after the pause that follows this number of failures in a row, or earlier if a retry may succeed. */
  pause(failures: number, signal: AbortSignal): Promise<void>;
}

/**
 * Maintains one connection for server-sent events (HTML §9.2), for one user at a time. The server decides at
 * opening whose events a connection carries.
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

  /**
   * @param userId the user whose events to receive; null closes the connection. Another user gets a new
   * connection.
   */
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

  /** Runs one connection from opening to its end; returns true if it was open. */
  async #connectOnce(wanted: AbortSignal): Promise<boolean> {
    // Always closes the connection: a browser opens no more than six to a server, and all other requests need
    // them.
    const attempt = new AbortController();
    const signal = AbortSignal.any([wanted, attempt.signal]);
    try {
      const response = await this.#source.open(signal);
      if (!response.ok || !response.body) return false;
      // Imported here because the first screen does not need it.
      const { createParser } = await import('eventsource-parser');
      signal.throwIfAborted();
      this.#status.set('open');
      const parser = createParser({ onEvent: (event) => this.#source.onData(event.data) });
      // Safari cannot iterate over a stream.
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
 * A page that is hidden for less than this stays connected, because the user may only be looking at another
 * window.
 */
const graceMs = 30_000;

/** Reports at once that the page is visible, and after a delay that it is hidden. */
export function onVisibilityChange(report: (isVisible: boolean) => void): void {
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  const handleChange = () => {
    clearTimeout(hideTimer);
    if (document.visibilityState === 'visible') report(true);
    else hideTimer = setTimeout(() => report(false), graceMs);
  };
  document.addEventListener('visibilitychange', handleChange);
  handleChange();
}
