import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { day, minute } from '#base/duration.ts';
import { limitedCommand } from '#server/processes/limited-command.ts';
import { TranscriberError } from '#server/transcribers/transcriber.ts';
import {
  type EngineTask,
  type FromListener,
  fromListenerSchema,
  type ListenTask,
  type SpeechSound,
  type ToListener,
} from './messages.ts';

const ownScript = new URL('listen.process.ts', import.meta.url);
const lowPriority = 10;
const heapMegabytes = 256;
const errorTextLength = 2000;
/** A large model is read from a slow disk. */
const openMs = 5 * minute;
/** Between two messages a process decodes a few seconds of sound. */
const silentMs = 2 * minute;

interface SpanMs {
  fromMs: number;
  toMs: number;
}

type HeardMessage = Extract<FromListener, { type: 'heard' }>;

/** Answers a process while it listens to a segment. */
export interface ListenHandlers {
  read(startByte: number, endByteExclusive: number): Promise<Uint8Array>;
  pcm(): Promise<Uint8Array>;
  onHeard(chunk: HeardMessage['chunk']): Promise<void>;
  onSound(sound: SpeechSound): Promise<void>;
}

/** How a process is started. */
export interface ProcessOptions {
  memoryBytes: number;
  /** Replaces the script, for tests of processes that misbehave. */
  script?: URL;
}

/** The process ended, did not respond or sent nonsense. */
export class ListenerDied extends Error {
  /** What it was hearing. */
  readonly hearing: SpanMs | null;
  constructor(message: string, hearing: SpanMs | null) {
    super(message);
    this.name = 'ListenerDied';
    this.hearing = hearing;
  }
}

/** The engine may take this long for a chunk. */
const hearingMs = ({ fromMs, toMs }: SpanMs): number => minute + 4 * (toMs - fromMs);

/** A process that hears speech, with an empty environment and limits of the operating system. */
export class ListenerProcess {
  readonly #child: ChildProcess;
  readonly #received: FromListener[] = [];
  readonly #exited: Promise<void>;
  #waiting: PromiseWithResolvers<FromListener> | null = null;
  #death: ListenerDied | null = null;
  #hearing: SpanMs | null = null;
  #errors = '';

  constructor({ memoryBytes, script = ownScript }: ProcessOptions) {
    const node = [
      `--max-old-space-size=${heapMegabytes}`,
      '--v8-pool-size=1',
      '--disable-wasm-trap-handler',
      fileURLToPath(script),
    ];
    const { program, args } = limitedCommand(process.execPath, node, { memoryBytes, cpuMs: day });
    this.#child = spawn(program, args, {
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, lowPriority);
    this.#child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#errors = (this.#errors + piece).slice(-errorTextLength);
    });
    this.#exited = new Promise((resolve) => {
      const exit = (reason: string): void => {
        this.#die(reason);
        resolve();
      };
      this.#child.once('error', (error) => exit(error.message));
      this.#child.once('close', (code, signal) =>
        exit(this.#lastError() ?? `the process ended with ${signal ?? code}`),
      );
    });
    this.#child.on('message', (message) => this.#receive(message));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it can be used. */
  get isAlive(): boolean {
    return this.#death === null;
  }

  /**
   * Loads the engine.
   * @throws TranscriberError if that is impossible
   * @throws ListenerDied
   */
  async open(task: EngineTask): Promise<void> {
    this.#send({ type: 'open', task });
    const message = await this.#next(openMs);
    if (message.type === 'opened') return;
    if (message.type === 'failed')
      throw new TranscriberError(
        message.part === 'engine' ? 'engine-missing' : 'model-broken',
        // The engine says on its standard error what it did not like.
        this.#lastError() ?? message.message,
      );
    throw this.#die(`the process sent ${message.type} instead of opened`);
  }

  /**
   * Listens to a part of a segment. If a handler of chunks fails, the process remains.
   * @throws ListenerDied
   */
  async listen(task: ListenTask, handlers: ListenHandlers): Promise<void> {
    this.#send({ type: 'listen', task });
    for (;;) {
      const message = await this.#next(this.#hearing === null ? silentMs : hearingMs(this.#hearing));
      if (message.type === 'ended') return;
      await this.#answer(message, handlers);
    }
  }

  async #answer(message: FromListener, handlers: ListenHandlers): Promise<void> {
    switch (message.type) {
      case 'read':
        return this.#sendBytes(handlers.read(message.startByte, message.endByteExclusive));
      case 'pcm':
        return this.#sendBytes(handlers.pcm());
      case 'hearing':
        this.#hearing = { fromMs: message.fromMs, toMs: message.toMs };
        return;
      case 'heard':
        this.#hearing = null;
        return this.#continueAfter(handlers.onHeard(message.chunk));
      case 'sound':
        return this.#continueAfter(handlers.onSound(message));
      case 'opened':
      case 'failed':
      case 'ended':
        throw this.#die(`the process sent ${message.type}`);
    }
  }

  /** Sends sound. A process that gets none would take the next message for it, so it is ended. */
  async #sendBytes(reading: Promise<Uint8Array>): Promise<void> {
    try {
      this.#send({ type: 'bytes', bytes: await reading });
    } catch (error) {
      this.#die('the process got no sound');
      throw error;
    }
  }

  /** Lets the process continue. If the chunk was not taken, it drops the rest and is ready for another segment. */
  async #continueAfter(taken: Promise<void>): Promise<void> {
    try {
      await taken;
    } catch (error) {
      if (error instanceof ListenerDied || !this.isAlive) throw error;
      this.#send({ type: 'stop' });
      const ended = await this.#next(silentMs).catch(() => null);
      if (ended?.type !== 'ended') this.#die('the process did not stop');
      throw error;
    }
    this.#send({ type: 'next' });
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.#die('the process was ended');
    await this.#exited;
  }

  #lastError(): string | null {
    return this.#errors.trim().split('\n').at(-1) || null;
  }

  /** Ends the process, unless it has ended. A reader that waits for a message gets the error. */
  #die(reason: string): ListenerDied {
    this.#death ??= new ListenerDied(reason, this.#hearing);
    this.#waiting?.reject(this.#death);
    this.#waiting = null;
    this.#child.kill('SIGKILL');
    return this.#death;
  }

  /** Refuses a message that is not one, with this text. */
  reject(reason: string): ListenerDied {
    return this.#die(`the process ${reason}`);
  }

  #receive(message: unknown): void {
    const parsed = fromListenerSchema.safeParse(message);
    if (!parsed.success) {
      this.#die('the process sent an invalid message');
      return;
    }
    if (this.#waiting === null) this.#received.push(parsed.data);
    else this.#waiting.resolve(parsed.data);
    this.#waiting = null;
    if (this.#received.length > 16) this.#die('the process sent too many messages');
  }

  #send(message: ToListener): void {
    if (this.#death !== null) return;
    this.#child.send(message, (error) => {
      if (error !== null) this.#die(error.message);
    });
  }

  /** The next message. A process that sends none in time is ended. */
  async #next(limitMs: number): Promise<FromListener> {
    const first = this.#received.shift();
    if (first !== undefined) return first;
    if (this.#death !== null) throw this.#death;
    this.#waiting = Promise.withResolvers();
    const clock = setTimeout(() => this.#die(`the process did not respond for ${limitMs} ms`), limitMs);
    try {
      return await this.#waiting.promise;
    } finally {
      clearTimeout(clock);
    }
  }
}
