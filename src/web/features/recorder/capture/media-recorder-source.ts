import { second } from '#base/duration.ts';
import { qualities, type Quality } from '#contract/limits.ts';
import type { Microphone } from './microphone.ts';

/** A format of MediaRecorder: the type to request, and the container of the file. */
interface RecorderFormat {
  mimeType: string;
  container: 'ogg' | 'webm' | 'mp4';
}

/**
 * Opus comes first, because only Opus needs no decoding on the server. Older versions of Safari write plain MP4
 * with AAC.
 */
export const recorderFormats: readonly RecorderFormat[] = [
  { mimeType: 'audio/webm;codecs=opus', container: 'webm' },
  { mimeType: 'audio/ogg;codecs=opus', container: 'ogg' },
  { mimeType: 'audio/mp4;codecs=opus', container: 'mp4' },
  { mimeType: 'audio/mp4', container: 'mp4' },
];

/** The best supported format; null if none is supported or MediaRecorder is missing. */
export function chooseRecorderFormat(
  isSupported: ((mimeType: string) => boolean) | undefined,
): RecorderFormat | null {
  if (isSupported === undefined) return null;
  return recorderFormats.find(({ mimeType }) => isSupported(mimeType)) ?? null;
}

/** How often the recorder delivers a piece. */
export const timesliceMs = 250;
const watchEveryMs = 500;
const silentUntilRequestMs = 2 * second;
const silentUntilFailedMs = 4 * second;
/** The longest time that the last chunk may delay Stop. */
const maxLastPieceMs = second;

export interface MediaRecorderSourceOptions {
  quality: Quality;
  nowMs: () => number;
  /**
   * Called with the chunks of the file in order, and when the recorder delivered them. The last one may be empty; its
   * time is when the recorder was stopped or paused, where the sound of its file ends.
   */
  onChunk: (bytes: ArrayBuffer, isLast: boolean, atMs: number) => void;
  /**
   * Called once, if no chunk with data came for four seconds or the recorder failed. The caller should open a new source.
   */
  onError: () => void;
}

/** A running MediaRecorder. */
export interface MediaRecorderSource {
  readonly container: RecorderFormat['container'];
  /** When it was started, on the clock of `nowMs`. */
  readonly startedAtMs: number;
  pause: () => void;
  resume: () => void;
  /** Ends the file; may be called repeatedly. Resolves when the last chunk was passed on, after a second at the latest. */
  stop: () => Promise<void>;
}

/** The part of MediaRecorder that is used here. */
export type Recorder = Pick<
  MediaRecorder,
  'state' | 'start' | 'stop' | 'pause' | 'resume' | 'requestData' | 'addEventListener'
>;

/** The MediaRecorder format that this browser supports; null if it supports none of ours. */
const recorderFormatHere = (): RecorderFormat | null =>
  chooseRecorderFormat(
    globalThis.MediaRecorder === undefined
      ? undefined
      : (mimeType) => MediaRecorder.isTypeSupported(mimeType),
  );

class RunningRecorder implements MediaRecorderSource {
  readonly container: RecorderFormat['container'];
  readonly startedAtMs: number;
  readonly #recorder: Recorder;
  readonly #options: MediaRecorderSourceOptions;
  readonly #ended = Promise.withResolvers<undefined>();
  /** Reads Blobs one after another, because each may take any time to read and the order matters. */
  #passedOn: Promise<void> = Promise.resolve();
  #lastPieceMs: number;
  #hasRequested = false;
  #isOver = false;
  #pausedAtMs: number | null = null;
  #endedAtMs: number | null = null;
  #stopped: Promise<void> | null = null;
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(
    recorder: Recorder,
    container: RecorderFormat['container'],
    options: MediaRecorderSourceOptions,
  ) {
    this.#recorder = recorder;
    this.container = container;
    this.#options = options;
    this.#lastPieceMs = options.nowMs();
    recorder.addEventListener('dataavailable', ({ data }) => {
      this.#take(data);
    });
    recorder.addEventListener('error', () => {
      this.#fail();
    });
    // Also dispatched without a call to `stop`, when the microphone is disconnected.
    recorder.addEventListener('stop', () => {
      this.#markEnd();
      this.#fail();
      this.#ended.resolve(undefined);
    });
    this.startedAtMs = options.nowMs();
    recorder.start(timesliceMs);
    this.#watch = setInterval(() => {
      this.#checkSilence();
    }, watchEveryMs);
  }

  pause(): void {
    if (this.#recorder.state !== 'recording') return;
    // Flush the unfinished timeslice, because it belongs before the pause.
    this.#recorder.requestData();
    this.#pausedAtMs = this.#options.nowMs();
    this.#recorder.pause();
  }

  resume(): void {
    this.#lastPieceMs = this.#options.nowMs();
    if (this.#recorder.state !== 'paused') return;
    this.#pausedAtMs = null;
    this.#recorder.resume();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#end();
    const endedAtMs = this.#markEnd();
    const tooLate = setTimeout(() => {
      this.#ended.resolve(undefined);
    }, maxLastPieceMs);
    if (this.#recorder.state === 'inactive') this.#ended.resolve(undefined);
    else this.#recorder.stop();
    await this.#ended.promise;
    clearTimeout(tooLate);
    await this.#passOn(async () => {
      this.#options.onChunk(new ArrayBuffer(0), true, endedAtMs);
    });
  }

  #take(data: Blob): void {
    // A recorder that gets no sound still dispatches events, with empty chunks.
    if (data.size === 0) return;
    const atMs = this.#options.nowMs();
    this.#lastPieceMs = atMs;
    this.#hasRequested = false;
    void this.#passOn(async () => {
      this.#options.onChunk(await data.arrayBuffer(), false, atMs);
    });
  }

  #passOn(work: () => Promise<void>): Promise<void> {
    this.#passedOn = this.#passedOn.then(work).catch(() => {
      this.#fail();
    });
    return this.#passedOn;
  }

  /** MediaRecorder may stop delivering without an event, for example after the computer slept. */
  #checkSilence(): void {
    if (this.#recorder.state !== 'recording') return;
    const silentMs = this.#options.nowMs() - this.#lastPieceMs;
    if (silentMs >= silentUntilFailedMs) this.#fail();
    else if (silentMs >= silentUntilRequestMs && !this.#hasRequested) {
      this.#hasRequested = true;
      this.#recorder.requestData();
    }
  }

  #fail(): void {
    if (this.#isOver) return;
    this.#end();
    this.#options.onError();
  }

  #markEnd(): number {
    this.#endedAtMs ??= this.#pausedAtMs ?? this.#options.nowMs();
    return this.#endedAtMs;
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#watch);
  }
}

/** Starts a recorder, monitors it, and passes its chunks on immediately without storing them. */
export function runRecorder(
  recorder: Recorder,
  container: RecorderFormat['container'],
  options: MediaRecorderSourceOptions,
): MediaRecorderSource {
  return new RunningRecorder(recorder, container, options);
}

/**
 * Records a microphone with MediaRecorder, for browsers that can't encode with WebCodecs or deliver no PCM. It
 * runs on the page's thread, so nothing is stored while the page hangs. Null if the browser supports none of our
 * formats.
 */
export function openMediaRecorderSource(
  { stream }: Microphone,
  options: MediaRecorderSourceOptions,
): MediaRecorderSource | null {
  const format = recorderFormatHere();
  if (format === null) return null;
  const recorder = new MediaRecorder(stream, {
    mimeType: format.mimeType,
    audioBitsPerSecond: qualities[options.quality].bitrateBps,
  });
  return runRecorder(recorder, format.container, options);
}
