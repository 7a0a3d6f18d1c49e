import { PeaksReader } from '#web/features/player/peaks/peaks-reader.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { clampView, fitView, followView, xOf, zoomView, type Viewport } from './viewport.ts';

/** What of a recording is drawn beside its peaks. */
export interface WaveContent {
  durationMs: number;
  markers: readonly Pick<PlayableMarker, 'atMs' | 'colour'>[];
  gaps: readonly { atMs: number; durationMs: number }[];
}

export interface WaveSnapshot {
  view: Viewport;
  durationMs: number;
  /** Where a finger or pointer that holds the playhead is, before it lets go. */
  scrubMs: number | null;
}

/** Where the sound is: the player, seen from here. */
export interface Playhead {
  positionMs(): number;
  seek(toMs: number): void;
  subscribe(listener: () => void): () => void;
  isRunning(): boolean;
}

/**
 * One recording's waveform: the stretch that is shown, what is held, and a clock that has its canvases
 * redrawn once a frame when something moved.
 */
export class Waveform {
  readonly reader = new PeaksReader();
  readonly playhead: Playhead;
  readonly #listeners = new Set<() => void>();
  readonly #painters = new Set<() => void>();
  #selection: { fromMs: number; toMs: number } | null = null;
  #content: WaveContent = { durationMs: 0, markers: [], gaps: [] };
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

  /** Has a stretch drawn as selected. */
  setSelection(selection: { fromMs: number; toMs: number } | null): void {
    this.#selection = selection;
    this.invalidate();
  }

  get isWhole(): boolean {
    return this.#snapshot.view.spanMs >= this.#snapshot.durationMs - 1;
  }

  /** Where the playhead is drawn: under the finger while it is held. */
  shownPositionMs(): number {
    return this.#snapshot.scrubMs ?? this.playhead.positionMs();
  }

  /** Begins to listen to the peaks and the sound; the undo ends it. */
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

  /** @param factor above 1 zooms in; around the moment given, else around the playhead, else the middle */
  zoomBy(factor: number, atMs?: number): void {
    const { view, durationMs } = this.#snapshot;
    const x = xOf(view, this.shownPositionMs());
    const centreMs = x >= 0 && x <= view.widthPx ? this.shownPositionMs() : view.startMs + view.spanMs / 2;
    this.#look(zoomView(view, { factor, atMs: atMs ?? centreMs, durationMs }));
  }

  panBy(byMs: number): void {
    const { view, durationMs } = this.#snapshot;
    this.#look(clampView({ ...view, startMs: view.startMs + byMs }, durationMs));
  }

  /** Brings a moment to the middle of the view. */
  centreOn(atMs: number): void {
    const { view } = this.#snapshot;
    this.panBy(atMs - view.spanMs / 2 - view.startMs);
  }

  fit(): void {
    this.#look(fitView(this.#snapshot.view, this.#snapshot.durationMs));
  }

  scrubTo(atMs: number | null): void {
    this.#set({ scrubMs: atMs === null ? null : Math.min(Math.max(0, atMs), this.#snapshot.durationMs) });
  }

  /** Lets go of the playhead: the sound goes where it was held. */
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

  /** Has everything drawn again at the next frame. */
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

  /** A look chosen by hand wins over the playhead until the two meet again. */
  #look(view: Viewport): void {
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
