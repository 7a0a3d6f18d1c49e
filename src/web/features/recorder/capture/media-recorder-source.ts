import { second } from '#base/duration.ts';
import { qualities, type Quality } from '#contract/limits.ts';
import type { Microphone } from './microphone.ts';

/** A format of the browser's own recorder: the type to request, and the container of the file. */
interface RecorderFormat {
  mimeType: string;
  container: 'ogg' | 'webm' | 'mp4';
}

/**
 * Opus first, since only Opus needs no decoding on the server; plain MP4 is what older Safari writes, with
 * AAC in it.
 */
const formats: readonly RecorderFormat[] = [
  { mimeType: 'audio/webm;codecs=opus', container: 'webm' },
  { mimeType: 'audio/ogg;codecs=opus', container: 'ogg' },
  { mimeType: 'audio/mp4;codecs=opus', container: 'mp4' },
  { mimeType: 'audio/mp4', container: 'mp4' },
];

/** The best format that a recorder has; null where it has none of them, or there is no recorder at all. */
export function chooseRecorderFormat(
  isSupported: ((mimeType: string) => boolean) | undefined,
): RecorderFormat | null {
  if (isSupported === undefined) return null;
  return formats.find(({ mimeType }) => isSupported(mimeType)) ?? null;
}

const timesliceMs = 250;
const watchEveryMs = 500;
const silentUntilRequestMs = 2 * second;
const silentUntilFailedMs = 4 * second;
/** How long the end of the recording may hold up Stop. */
const longestLastPieceMs = second;

export interface MediaRecorderSourceOptions {
  quality: Quality;
  nowMs: () => number;
  /** One piece of the file, in order; the last one may be empty. */
  onChunk: (bytes: ArrayBuffer, isLast: boolean) => void;
  /** No piece came for four seconds, or the recorder broke: a new source should take over. Told once. */
  onError: () => void;
}

/** The browser's own recorder at work on a microphone. */
export interface MediaRecorderSource {
  readonly container: RecorderFormat['container'];
  pause: () => void;
  resume: () => void;
  /** Ends the file; resolves when its last piece was passed on, after a second at the latest. */
  stop: () => Promise<void>;
}

/** The part of MediaRecorder that is used here. */
export type Recorder = Pick<
  MediaRecorder,
  'state' | 'start' | 'stop' | 'pause' | 'resume' | 'requestData' | 'addEventListener'
>;

/** Whether this browser has a recorder of its own that writes something we can keep. */
export const recorderFormatHere = (): RecorderFormat | null =>
  chooseRecorderFormat(
    globalThis.MediaRecorder === undefined
      ? undefined
      : (mimeType) => MediaRecorder.isTypeSupported(mimeType),
  );

class RunningRecorder implements MediaRecorderSource {
  readonly container: RecorderFormat['container'];
  readonly #recorder: Recorder;
  readonly #options: MediaRecorderSourceOptions;
  readonly #ended = Promise.withResolvers<undefined>();
  /** Pieces are read out of their Blobs one after another, because reading takes as long as it likes. */
  #passedOn: Promise<void> = Promise.resolve();
  #lastPieceMs: number;
  #hasRequested = false;
  #isOver = false;
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
    // Also without being asked: the microphone was taken away.
    recorder.addEventListener('stop', () => {
      this.#fail();
      this.#ended.resolve(undefined);
    });
    recorder.start(timesliceMs);
    this.#watch = setInterval(() => {
      this.#checkSilence();
    }, watchEveryMs);
  }

  pause(): void {
    if (this.#recorder.state !== 'recording') return;
    // What waits for its timeslice belongs before the pause.
    this.#recorder.requestData();
    this.#recorder.pause();
  }

  resume(): void {
    this.#lastPieceMs = this.#options.nowMs();
    if (this.#recorder.state === 'paused') this.#recorder.resume();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#end();
    const tooLate = setTimeout(() => {
      this.#ended.resolve(undefined);
    }, longestLastPieceMs);
    if (this.#recorder.state === 'inactive') this.#ended.resolve(undefined);
    else this.#recorder.stop();
    await this.#ended.promise;
    clearTimeout(tooLate);
    await this.#passOn(async () => {
      this.#options.onChunk(new ArrayBuffer(0), true);
    });
  }

  #take(data: Blob): void {
    this.#lastPieceMs = this.#options.nowMs();
    this.#hasRequested = false;
    if (data.size > 0)
      void this.#passOn(async () => {
        this.#options.onChunk(await data.arrayBuffer(), false);
      });
  }

  #passOn(work: () => Promise<void>): Promise<void> {
    this.#passedOn = this.#passedOn.then(work).catch(() => {
      this.#fail();
    });
    return this.#passedOn;
  }

  /** A recorder can fall silent without an event, as after a sleep of the computer. */
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

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#watch);
  }
}

/** Watches over a recorder, starts it, and passes its pieces on as they come; none of them is kept here. */
export function runRecorder(
  recorder: Recorder,
  container: RecorderFormat['container'],
  options: MediaRecorderSourceOptions,
): MediaRecorderSource {
  return new RunningRecorder(recorder, container, options);
}

/**
 * Records a microphone with the browser's own recorder, for browsers that cannot encode by WebCodecs or give
 * no PCM. It lives in the page: while the page hangs, nothing is kept. Null where this browser has no
 * recorder that serves.
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
