import { createStore, type Store } from '#base/store.ts';
import { noTake, type TakeState } from './take.ts';
import { viewedTakes } from './viewed-take.ts';
import type { LabelCommand, TakeRecorder } from './take-recorder.ts';

export interface DeferredRecorderDeps {
  /** Loads the code that records. Resolves to the same recorder each time. */
  load: () => Promise<TakeRecorder>;
  /** Opens the audio context, which must happen during the press. */
  openAudioContext: () => AudioContext;
}

/**
 * The recorder as the first screen needs it: it loads the one that records when the page is idle, or when a take is
 * started. A press of Record before that waits for it, and nothing but a start is possible before it has loaded.
 */
export class DeferredRecorder implements Store<TakeState> {
  readonly #deps: DeferredRecorderDeps;
  readonly #store = createStore<TakeState>(noTake);
  readonly #viewed = viewedTakes(this.#store);
  #loaded: TakeRecorder | null = null;

  constructor(deps: DeferredRecorderDeps) {
    this.#deps = deps;
  }

  /** The take as the viewer may see it. */
  readonly getSnapshot = (): TakeState => this.#viewed.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#viewed.subscribe(listener);

  /** The take of any owner: for its clock, and for what the page has to keep alive. No surface shows it. */
  readonly everyTake: Store<TakeState> = this.#store;

  /**
   * Loads the code that records, before it is needed.
   * @throws the browser's error
   */
  readonly load = async (): Promise<TakeRecorder> => {
    const recorder = await this.#deps.load();
    if (this.#loaded === null) {
      this.#loaded = recorder;
      recorder.subscribe(() => this.#store.set(recorder.getSnapshot()));
    }
    return recorder;
  };

  /** Starts a take. Does nothing while one runs. An empty title becomes the default one. */
  readonly start = (title: string | null = null): Promise<void> =>
    this.#start((recorder, context) => recorder.start(title, context));

  /** Continues a take, after a gap, that was stopped or whose page died. Does nothing while one runs. */
  readonly continueTake = (takeId: string): Promise<void> =>
    this.#start((recorder, context) => recorder.continueTake(takeId, context), takeId);

  /** Closes the result or the error, ready for the next take. */
  readonly dismiss = (): void => {
    this.#loaded?.dismiss();
    this.#store.set(this.#loaded?.getSnapshot() ?? noTake);
  };

  // The other methods of `TakeRecorder`. Until that has loaded there is no take, so they have nothing to do.
  readonly pause = (): void => this.#loaded?.pause();
  readonly resume = (): void => this.#loaded?.resume();
  readonly stop = (): void => this.#loaded?.stop();
  readonly discard = (): void => this.#loaded?.discard();
  readonly tryMicrophone = (): void => this.#loaded?.tryMicrophone();
  readonly rename = (title: string): void => this.#loaded?.rename(title);
  readonly addMarker = (): string | null => this.#loaded?.addMarker() ?? null;
  readonly renameMarker = (markerId: string, label: string): void =>
    this.#loaded?.renameMarker(markerId, label);
  readonly removeMarker = (markerId: string): void => this.#loaded?.removeMarker(markerId);
  readonly changeLabel = (command: LabelCommand): void => this.#loaded?.changeLabel(command);

  async #start(
    press: (recorder: TakeRecorder, context?: AudioContext) => Promise<void>,
    continues?: string,
  ): Promise<void> {
    if (this.#loaded) return press(this.#loaded);
    if (this.#store.getSnapshot().status === 'asking') return undefined;
    this.#store.set({ status: 'asking', continues });
    let context: AudioContext | undefined;
    let recorder: TakeRecorder;
    try {
      context = this.#deps.openAudioContext();
      recorder = await this.load();
    } catch {
      void context?.close();
      this.#store.set({ status: 'rejected', reason: 'internal', continues });
      return undefined;
    }
    return press(recorder, context);
  }
}
