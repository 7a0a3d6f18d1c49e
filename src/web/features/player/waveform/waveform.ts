import { PeaksReader } from '#web/features/player/peaks/peaks-reader.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { clampView, fitView, followView, xOf, zoomView, type Viewport } from './viewport.ts';

/** The parts of a recording that are drawn in addition to its peaks. */
export interface WaveContent {
  durationMs: number;
  markers: readonly Pick<PlayableMarker, 'atMs' | 'colour'>[];
  gaps: readonly { atMs: number; durationMs: number }[];
  /** Where the recording was paused or stopped, which takes no time. */
  breaks: readonly { atMs: number }[];
  /** The passages that listeners don't hear; `toMs` is null until the end. */
  muted: readonly { fromMs: number; toMs: number | null }[];
}

export interface WaveSnapshot {
  view: Viewport;
  durationMs: number;
  /** Where a pointer holds the playhead, until it is released. */
  scrubMs: number | null;
}

/** The part of the player that a waveform needs. */
export interface Playhead {
  positionMs(): number;
  seek(toMs: number): void;
  subscribe(listener: () => void): () => void;
  isRunning(): boolean;
}

/**
 * The waveform of one recording: its view, the scrubbed position, and a loop that redraws its canvases at most
 * once per frame when something changes.
 */
export class Waveform {
  readonly reader = new PeaksReader();
  readonly playhead: Playhead;
  readonly #listeners = new Set<() => void>();
  readonly #painters = new Set<() => void>();
  #selection: { fromMs: number; toMs: number } | null = null;
  #content: WaveContent = { durationMs: 0, markers: [], gaps: [], breaks: [], muted: [] };
  #snapshot: WaveSnapshot = { view: { startMs: 0, spanMs: 1, widthPx: 1 }, durationMs: 0, scrubMs: null };
  #follows = true;
  #frame: number | null = null;

  constructor(playhead: Playhead) {
    this.playhead = playhead;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): WaveSnapshot => this.#snapshot;

  get content(): WaveContent {
    return this.#content;
  }

  get selection(): { fromMs: number; toMs: number } | null {
    return this.#selection;
  }

  /** Sets the range that is drawn as selected. */
  setSelection(selection: { fromMs: number; toMs: number } | null): void {
    this.#selection = selection;
    this.invalidate();
  }

  get isWhole(): boolean {
    return this.#snapshot.view.spanMs >= this.#snapshot.durationMs - 1;
  }

  /** The drawn position of the playhead, which is under the pointer during a scrub. */
  shownPositionMs(): number {
    return this.#snapshot.scrubMs ?? this.playhead.positionMs();
  }

  /** Subscribes to the peaks and the player. Returns a function that unsubscribes. */
  start(): () => void {
    const stops = [
      this.reader.subscribe(() => this.invalidate()),
      this.playhead.subscribe(() => this.invalidate()),
    ];
    return () => {
      for (const stop of stops) stop();
      this.reader.close();
      if (this.#frame !== null) cancelAnimationFrame(this.#frame);
      this.#frame = null;
    };
  }

  show(source: PeaksSource): void {
    void this.reader.open(source);
  }

  setContent(content: WaveContent): void {
    const wasWhole = this.isWhole;
    this.#content = content;
    const { view } = this.#snapshot;
    this.#set({
      durationMs: content.durationMs,
      view: wasWhole ? fitView(view, content.durationMs) : clampView(view, content.durationMs),
    });
  }

  setWidth(widthPx: number): void {
    if (widthPx > 0 && widthPx !== this.#snapshot.view.widthPx)
      this.#set({ view: { ...this.#snapshot.view, widthPx } });
  }

  /**
   * @param factor above 1 zooms in; around `atMs`, else the playhead if it is visible, else the middle of the view
   */
  zoomBy(factor: number, atMs?: number): void {
    const { view, durationMs } = this.#snapshot;
    const x = xOf(view, this.shownPositionMs());
    const centreMs = x >= 0 && x <= view.widthPx ? this.shownPositionMs() : view.startMs + view.spanMs / 2;
    this.#setView(zoomView(view, { factor, atMs: atMs ?? centreMs, durationMs }));
  }

  panBy(byMs: number): void {
    const { view, durationMs } = this.#snapshot;
    this.#setView(clampView({ ...view, startMs: view.startMs + byMs }, durationMs));
  }

  /** Moves a moment to the middle of the view. */
  centreOn(atMs: number): void {
    const { view } = this.#snapshot;
    this.panBy(atMs - view.spanMs / 2 - view.startMs);
  }

  fit(): void {
    this.#setView(fitView(this.#snapshot.view, this.#snapshot.durationMs));
  }

  scrubTo(atMs: number | null): void {
    this.#set({ scrubMs: atMs === null ? null : Math.min(Math.max(0, atMs), this.#snapshot.durationMs) });
  }

  /** Ends a scrub and seeks to where the playhead was held. */
  commitScrub(): void {
    const { scrubMs } = this.#snapshot;
    this.scrubTo(null);
    if (scrubMs !== null) this.seek(scrubMs);
  }

  seek(toMs: number): void {
    this.#follows = true;
    this.playhead.seek(toMs);
    this.invalidate();
  }

  addPainter(paint: () => void): () => void {
    this.#painters.add(paint);
    this.invalidate();
    return () => this.#painters.delete(paint);
  }

  /** Redraws everything in the next frame. */
  invalidate(): void {
    this.#frame ??= requestAnimationFrame(() => this.#drawFrame());
  }

  #drawFrame(): void {
    this.#frame = null;
    const { view, durationMs, scrubMs } = this.#snapshot;
    const x = xOf(view, this.playhead.positionMs());
    if (x >= 0 && x <= view.widthPx) this.#follows = true;
    if (this.#follows && scrubMs === null) {
      const followed = followView(view, { positionMs: this.playhead.positionMs(), durationMs });
      if (followed !== view) this.#set({ view: followed });
    }
    for (const paint of this.#painters) paint();
    if (this.playhead.isRunning()) this.invalidate();
  }

  /** A view chosen by the user stops following the playhead until the playhead is visible in it again. */
  #setView(view: Viewport): void {
    this.#set({ view });
    const x = xOf(view, this.playhead.positionMs());
    this.#follows = x >= 0 && x <= view.widthPx;
  }

  #set(change: Partial<WaveSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
    this.invalidate();
  }
}
