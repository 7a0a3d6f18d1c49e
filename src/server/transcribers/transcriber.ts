/** A speech model whose files lie on this machine's disk. */
export interface SpeechModel {
  name: string;
  kind: 'whisper' | 'transducer';
  /** Absolute paths. */
  files: { encoder: string; decoder: string; joiner: string | null; tokens: string };
  /** The limit of memory of a process that uses the model. */
  memoryBytes: number;
}

/** The sound of one segment of a recording. All times are milliseconds on the recording's timeline. */
export interface SegmentSound {
  startMs: number;
  /** The cursor: nothing before it is transcribed. */
  fromMs: number;
  /** Nothing from here on is transcribed. */
  toMs: number;
  /** An Ogg Opus file, or PCM: 16 kHz, mono, 16 bits, little-endian, opened at a moment. */
  audio:
    | {
        kind: 'ogg';
        sizeBytes: number;
        read(startByte: number, endByteExclusive: number): Promise<Uint8Array>;
      }
    | { kind: 'pcm'; open(fromMs: number, signal: AbortSignal): AsyncIterable<Uint8Array> };
}

export interface HeardWord {
  fromMs: number;
  toMs: number;
  text: string;
}

/** Why a chunk has no words although it may contain speech. */
type HoleCause = 'engine-died' | 'no-answer' | 'no-speech';

/**
 * What an engine heard in one call: at most 28 s of one segment. `words` is empty if nobody speaks in it. Chunks
 * with sound but without speech have the cause `no-speech`.
 */
export interface HeardChunk {
  fromMs: number;
  toMs: number;
  /** The language that the engine heard; null if it doesn't say. */
  language: string | null;
  /** `word`: each word has its times. `chunk`: words share the time of the speech. */
  timing: 'word' | 'chunk';
  words: readonly HeardWord[];
  /** `loop`: the engine repeats itself. `doubtful`: more words than anybody can say in the time. */
  doubt: 'loop' | 'doubtful' | null;
  cause: HoleCause | null;
}

export interface TranscriptionRequest {
  /** Null for an engine that has its own, such as a server. */
  model: SpeechModel | null;
  /** The primary subtag of the language, `en`; null to let the engine guess. */
  language: string | null;
  /** Moments that no chunk may cross. */
  cutsMs: readonly number[];
  /** Transcribes all sound, also where no speech is found. Defaults to false. */
  hearsAll?: boolean;
  signal: AbortSignal;
  /**
   * Called for each chunk, in the order of time. The next chunk waits for it. Everything before `heardToMs` is done:
   * a later call continues from there.
   */
  onChunk(chunk: HeardChunk, heardToMs: number): Promise<void>;
}

/** Turns sound into words. */
export interface Transcriber {
  /** Whether the engine can run on this machine. */
  isInstalled(): boolean;
  /** The host that sound is sent to; null if no sound leaves this machine. */
  address: string | null;
  /** Whether the engine has a speech model of its own. Defaults to whether it is elsewhere. */
  hasOwnModel?: boolean;
  /**
   * Transcribes one segment.
   * @throws TranscriberError if the engine can't continue with any chunk
   */
  transcribe(sound: SegmentSound, request: TranscriptionRequest): Promise<void>;
  /** Ends the processes of the engine. */
  close(): Promise<void>;
}

/** Why an engine can't transcribe anything at the moment. */
export type TranscriberProblem =
  | 'engine-missing'
  | 'model-broken'
  | 'language-unsupported'
  | 'transcriber-refused'
  | 'transcriber-wrong-address'
  | 'transcriber-unavailable';

export class TranscriberError extends Error {
  readonly problem: TranscriberProblem;
  /** When to try again, if the engine says so. */
  readonly retryAfterMs: number | null;

  constructor(problem: TranscriberProblem, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'TranscriberError';
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether a transcriber needs a speech model of this server. */
export const needsModel = ({
  address,
  hasOwnModel = address !== null,
}: Pick<Transcriber, 'address' | 'hasOwnModel'>): boolean => !hasOwnModel;
