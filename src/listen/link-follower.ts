import { second } from '#base/duration.ts';

const pollMs = 10 * second;

interface LinkFollowerDeps {
  linkPath: string;
  /** The link changed in some way, or may have while the connection was lost: request it again. */
  onChange: () => void;
  /** It may have changed: the event stream has just opened, or there is none. */
  onPoll: () => void;
  onGrowth: (growth: { durationMs: number; isOffRecord: boolean }) => void;
}

/** Follows a link by server-sent events, or by polling where no event stream can be opened. */
export class LinkFollower {
  readonly #deps: LinkFollowerDeps;
  #source: EventSource | null = null;
  #poll: ReturnType<typeof setInterval> | null = null;

  constructor(deps: LinkFollowerDeps) {
    this.#deps = deps;
  }

  open(): void {
    if (this.#source !== null || this.#poll !== null) return;
    const { linkPath, onChange, onPoll, onGrowth } = this.#deps;
    const source = new EventSource(`${linkPath}/events`);
    this.#source = source;
    let hasOpened = false;
    source.addEventListener('open', () => {
      // A stream reports only what changes after it has opened.
      if (hasOpened) onChange();
      else onPoll();
      hasOpened = true;
    });
    source.addEventListener('share-changed', onChange);
    source.addEventListener('share-ended', onChange);
    source.addEventListener('share-grew', ({ data }: MessageEvent<string>) => {
      onGrowth(JSON.parse(data) as Parameters<typeof onGrowth>[0]);
    });
    source.addEventListener('error', () => {
      // A browser tries again after a lost connection, and stops after any other answer.
      if (source.readyState !== EventSource.CLOSED) return;
      this.close();
      this.#poll = setInterval(onPoll, pollMs);
      onPoll();
    });
  }

  close(): void {
    this.#source?.close();
    this.#source = null;
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
  }
}
