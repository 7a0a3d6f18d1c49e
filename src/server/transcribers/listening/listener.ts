import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '#base/duration.ts';
import { maxChunkMs } from '#audio/speech/chunk-cutter.ts';
import { wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import {
  type HeardChunk,
  type SegmentSound,
  TranscriberError,
  type TranscriptionRequest,
} from '#server/transcribers/transcriber.ts';
import { isEngineInstalled } from './engine-package.ts';
import {
  type ListenHandlers,
  ListenerDied,
  ListenerProcess,
  type ProcessOptions,
} from './listener-process.ts';
import { firstMomentOf } from './first-sample.ts';
import type { EngineTask, ListenTask, SpeechSound } from './messages.ts';
import { pcmPieces } from './pcm-pieces.ts';
import { writeLetters } from './write-letters.ts';

/** A process that has nothing to do ends after this time. */
const defaultRestMs = 5 * minute;
/** How long an aborted process is waited for that only waits itself. */
const gentleEndMs = 2 * second;
const maxReadBytes = 1024 * 1024;
/** After so many chunks in a row that ended the process, the engine is not tried again. */
const maxHolesInRow = 5;

/** What to load, and the limit of memory. */
interface ListenerEngine {
  task: Omit<EngineTask, 'hasLetters'>;
  memoryBytes: number;
}

/** Hears the sound of a chunk elsewhere. */
type HearElsewhere = (sound: SpeechSound) => Promise<void>;

export interface Listener {
  /**
   * Hears a segment in a child process. A chunk that ends the process twice is delivered as a hole.
   * @throws TranscriberError
   */
  listen(
    sound: SegmentSound,
    request: TranscriptionRequest,
    options: { engine: ListenerEngine; hearElsewhere?: HearElsewhere },
  ): Promise<void>;
  /** The process; undefined without one. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** Whether words are in order, inside their chunk. */
function areOrdered({ fromMs, toMs, words }: Pick<HeardChunk, 'fromMs' | 'toMs' | 'words'>): boolean {
  let earliestMs = fromMs;
  for (const word of words) {
    if (word.fromMs < earliestMs || word.toMs < word.fromMs) return false;
    earliestMs = word.toMs;
  }
  return earliestMs <= toMs;
}

/** One transcription: the cursor, and what the process did to it. */
class Run {
  readonly #sound: SegmentSound;
  readonly #request: TranscriptionRequest;
  readonly #hearElsewhere: HearElsewhere | undefined;
  cursorMs: number;
  /** Whether the process waits, while a chunk is stored or heard elsewhere. */
  isWaiting = false;
  #deaths = 0;
  #holesInRow = 0;

  constructor(sound: SegmentSound, request: TranscriptionRequest, hearElsewhere: HearElsewhere | undefined) {
    this.#sound = sound;
    this.#request = request;
    this.#hearElsewhere = hearElsewhere;
    this.cursorMs = Math.max(sound.startMs, sound.fromMs);
  }

  get isOver(): boolean {
    return this.cursorMs >= this.#sound.toMs;
  }

  get task(): ListenTask {
    const { audio, startMs, toMs } = this.#sound;
    const { cutsMs, language, hearsAll = false } = this.#request;
    return {
      kind: audio.kind,
      sizeBytes: audio.kind === 'ogg' ? audio.sizeBytes : 0,
      startMs,
      fromMs: this.cursorMs,
      toMs,
      cutsMs,
      language,
      hearsAll,
    };
  }

  /** Listens once, until the end or the process's. */
  async listen(child: ListenerProcess): Promise<void> {
    const pcm = this.#openPcm();
    try {
      await child.listen(this.task, this.#handlers(child, pcm));
    } finally {
      await pcm?.return?.(undefined).catch(() => undefined);
    }
  }

  #openPcm(): AsyncIterator<Uint8Array> | null {
    const { audio } = this.#sound;
    if (audio.kind !== 'pcm') return null;
    return pcmPieces(audio.open(firstMomentOf(this.task), this.#request.signal), maxReadBytes);
  }

  #handlers(child: ListenerProcess, pcm: AsyncIterator<Uint8Array> | null): ListenHandlers {
    const { audio } = this.#sound;
    return {
      async read(startByte, endByteExclusive) {
        if (audio.kind !== 'ogg') throw child.reject('asked for bytes of PCM');
        const start = wholeNumberWithin(startByte, { max: audio.sizeBytes });
        const end = wholeNumberWithin(endByteExclusive, { min: start ?? 0 });
        if (start === null || end === null) throw child.reject('asked for an invalid range');
        return audio.read(start, Math.min(end, audio.sizeBytes, start + maxReadBytes));
      },
      async pcm() {
        if (pcm === null) throw child.reject('asked for PCM of a file');
        const next = await pcm.next();
        return next.done === true ? new Uint8Array(0) : next.value;
      },
      onHeard: async (chunk) => {
        this.#check(child, chunk);
        await this.#deliver(chunk);
        this.#holesInRow = 0;
      },
      onSound: async (speech) => {
        this.#check(child, { ...speech, words: [] });
        if (this.#hearElsewhere === undefined) throw child.reject('sent sound');
        await this.#whileWaiting(this.#hearElsewhere(speech));
        this.#holesInRow = 0;
        this.#advance(speech.toMs);
      },
    };
  }

  /** A process that reads foreign bytes may send anything. */
  #check(child: ListenerProcess, chunk: Pick<HeardChunk, 'fromMs' | 'toMs' | 'words'>): void {
    if (!this.#isPlaced(chunk) || !areOrdered(chunk)) throw child.reject('sent an invalid chunk');
  }

  /** Whether a chunk is between the cursor and the end, not too long, and crosses no cut. */
  #isPlaced({ fromMs, toMs }: Pick<HeardChunk, 'fromMs' | 'toMs'>): boolean {
    const isInside = fromMs >= this.cursorMs && toMs > fromMs && toMs <= this.#sound.toMs;
    const crosses = this.#request.cutsMs.some((ms) => ms > fromMs && ms < toMs);
    return isInside && !crosses && toMs - fromMs <= maxChunkMs;
  }

  async #deliver(chunk: HeardChunk): Promise<void> {
    await this.#whileWaiting(this.#request.onChunk(chunk, chunk.toMs));
    this.#advance(chunk.toMs);
  }

  async #whileWaiting(work: Promise<void>): Promise<void> {
    this.isWaiting = true;
    try {
      await work;
      this.#request.signal.throwIfAborted();
    } finally {
      this.isWaiting = false;
    }
  }

  #advance(toMs: number): void {
    this.cursorMs = toMs;
    this.#deaths = 0;
  }

  /** What the process was hearing, if that can be true; else the next sound up to a cut. */
  #holeOf(hearing: ListenerDied['hearing']): { fromMs: number; toMs: number } {
    if (hearing !== null && this.#isPlaced(hearing)) return hearing;
    const fromMs = this.cursorMs;
    const cutsMs = this.#request.cutsMs.filter((ms) => ms > fromMs);
    return { fromMs, toMs: Math.min(...cutsMs, this.#sound.toMs, fromMs + maxChunkMs) };
  }

  /**
   * The process died. The first time, the chunk is heard again; the second time it is a hole.
   * @throws TranscriberError if that happens again and again
   */
  async died({ hearing, message }: ListenerDied): Promise<void> {
    this.#deaths += 1;
    if (this.#deaths < 2) return;
    this.#holesInRow += 1;
    if (this.#holesInRow > maxHolesInRow) throw new TranscriberError('model-broken', message);
    const { fromMs, toMs } = this.#holeOf(hearing);
    await this.#deliver({
      fromMs,
      toMs,
      language: null,
      timing: 'chunk',
      words: [],
      doubt: null,
      cause: 'engine-died',
    });
  }
}

/** Rejects with the signal's reason. */
function abortOf(signal: AbortSignal): { promise: Promise<never>; end(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return { promise, end: () => signal.removeEventListener('abort', abort) };
}

/** Hears with one child process at a time, which starts when it is needed. */
export function createListener({
  restMs = defaultRestMs,
  ...script
}: { restMs?: number } & Pick<ProcessOptions, 'script'> = {}): Listener {
  let child: { process: ListenerProcess; engine: string } | null = null;
  let rest: NodeJS.Timeout | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();

  async function end(): Promise<void> {
    const ended = child;
    child = null;
    await ended?.process.kill();
  }

  /** A process with this engine loaded. */
  async function start({ task, memoryBytes }: ListenerEngine): Promise<ListenerProcess> {
    const engine = JSON.stringify({ task, memoryBytes });
    if (child?.engine === engine && child.process.isAlive) return child.process;
    await end();
    const started = new ListenerProcess({ memoryBytes, ...script });
    child = { process: started, engine };
    const letters = task.model === null ? null : await writeLetters(task.model);
    try {
      await started.open(letters?.task(task) ?? { ...task, hasLetters: false });
    } catch (error) {
      await end();
      throw error;
    } finally {
      await letters?.remove();
    }
    return started;
  }

  /** A process that dies while it loads a model is started once more: its end may not be the model's fault. */
  async function startTwice(engine: ListenerEngine, signal: AbortSignal): Promise<ListenerProcess> {
    for (let isFirst = true; ; isFirst = false)
      try {
        return await start(engine);
      } catch (error) {
        if (!(error instanceof ListenerDied) || signal.aborted) throw error;
        if (!isFirst) throw new TranscriberError('model-broken', error.message);
      }
  }

  async function hear(run: Run, engine: ListenerEngine, signal: AbortSignal): Promise<void> {
    while (!run.isOver) {
      signal.throwIfAborted();
      const started = await startTwice(engine, signal);
      try {
        await run.listen(started);
        return;
      } catch (error) {
        // A process that waits for a reply can't be used for anything else.
        if (!(error instanceof ListenerDied)) throw error;
        await end();
        signal.throwIfAborted();
        await run.died(error);
      }
    }
  }

  /** Ends the process after an abort, unless it only waits for the caller and is then ready for another segment. */
  async function endUnlessReady(run: Run, hearing: Promise<void>): Promise<void> {
    let isReady = false;
    const ready = hearing.catch(() => {
      isReady = true;
    });
    if (run.isWaiting) await Promise.race([ready, delay(gentleEndMs, undefined, { ref: false })]);
    else await Promise.resolve();
    if (!isReady) await end();
  }

  async function inTurn(run: Run, engine: ListenerEngine, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    clearTimeout(rest);
    const abort = abortOf(signal);
    const hearing = hear(run, engine, signal);
    try {
      await Promise.race([hearing, abort.promise]);
    } catch (error) {
      if (signal.aborted) await endUnlessReady(run, hearing);
      throw error;
    } finally {
      abort.end();
      rest = setTimeout(() => void end(), restMs).unref();
    }
  }

  return {
    listen(sound, request, { engine, hearElsewhere }) {
      if (!isEngineInstalled())
        return Promise.reject(new TranscriberError('engine-missing', 'sherpa-onnx-node is not installed'));
      const run = new Run(sound, request, hearElsewhere);
      const turn = lastTurn.then(() => inTurn(run, engine, request.signal));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    get pid() {
      return child?.process.pid;
    },
    async close() {
      clearTimeout(rest);
      await end();
    },
  };
}
