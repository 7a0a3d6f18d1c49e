import { assertNever } from '#base/assert-never.ts';
import { second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { PcmBlock } from '#workers/capture/messages.ts';
import type { FromEncodeWorker, ToEncodeWorker } from '../messages.ts';
import type { OpenTake } from './open-take.ts';
import { PauseLog } from './pause-log.ts';
import { TakeMarkers } from './take-markers.ts';
import { progressOf, uploadOf } from './take-streams.ts';
import type { TakeUpload } from '../upload/take-upload.ts';
import { UploadAccess, type UploadSurroundings } from '../upload/upload-access.ts';
import { removeTake } from '../takes-store.ts';
import { failureOf } from '../worker-failure.ts';

const tickMs = 66;
const flushEveryMs = 240;
const progressEveryMs = 190;
const saveEveryMs = 10 * second;

export interface TakeSessionOptions {
  surroundings: UploadSurroundings;
  post: (message: FromEncodeWorker, transfer?: Transferable[]) => void;
  /** The server has everything: nothing is left to do here. */
  onDone: () => void;
}

/** What a take's own messages are once it is open. */
export type TakeCommand = Exclude<ToEncodeWorker, { type: 'start' | 'recover' }>;

/** One open take until the server has all of it: records, keeps, sends, tells. */
export class TakeSession {
  readonly #take: OpenTake;
  readonly #options: TakeSessionOptions;
  readonly #markers: TakeMarkers;
  readonly #pauses: PauseLog;
  readonly #access: UploadAccess;
  readonly #upload: TakeUpload;
  readonly #lastMs = { flush: 0, progress: 0, save: performance.now() };
  #pcmPort: MessagePort | null = null;
  #state: 'recording' | 'stopping' | 'stopped';

  constructor(take: OpenTake, options: TakeSessionOptions) {
    this.#take = take;
    this.#options = options;
    this.#state = take.live === null ? 'stopped' : 'recording';
    this.#markers = new TakeMarkers(take.kept);
    this.#pauses = new PauseLog(take.kept);
    this.#access = new UploadAccess(options.surroundings, (reason) => options.post({ type: 'attach-needed', takeId: this.#id, reason }));
    this.#upload = uploadOf({ take, markers: this.#markers, isStopped: () => this.#state === 'stopped' }, this.#access, options.surroundings);
  }

  /** Begins to record (or, for a take that was found, to send) and to report. */
  begin(pcmPort: MessagePort | null): void {
    const { record } = this.#take.kept;
    this.#options.post({ type: 'started', takeId: this.#id });
    if (pcmPort !== null) this.#listen(pcmPort);
    else this.#options.post({ type: 'stopped', takeId: this.#id, durationMs: record.durationMs });
    if (record.markers.length > 0) this.#postMarkers();
    setInterval(() => this.#tick(), tickMs);
    if (record.upload !== null) this.#access.attach(record.upload);
    else this.#access.remind();
    void this.#bringToServer();
  }

  /** Does what the page asks; never rejects. */
  async handle(command: TakeCommand): Promise<void> {
    // A record that could not be saved ends no take: it is written whole every time, so the next change makes good for this one.
    await this.#obey(command).catch(() => undefined);
  }

  async #obey(command: TakeCommand): Promise<void> {
    switch (command.type) {
      case 'pause':
      case 'resume':
        return this.#setPaused(command.type === 'pause');
      case 'stop':
        return this.#stop();
      case 'add-marker':
      case 'rename-marker':
      case 'remove-marker':
        return this.#changeMarkers(command);
      case 'rename':
        return this.#take.kept.change({ title: command.title });
      case 'attach':
        this.#access.attach(command.upload);
        return this.#take.kept.change({ ownerId: command.ownerId, upload: command.upload });
      case 'nudge':
        this.#upload.nudge();
        return undefined;
      default:
        return assertNever(command);
    }
  }

  /** Sound can no longer be kept: says so and ends the take in order, with all that is there. */
  fail(error: unknown): void {
    const { code, message } = failureOf(error, 'internal');
    this.#options.post({ type: 'failed', takeId: this.#id, code, detail: message });
    void this.#stop();
  }

  get #id(): string {
    return this.#take.kept.record.id;
  }

  #listen(pcmPort: MessagePort): void {
    this.#pcmPort = pcmPort;
    this.#take.live?.resume();
    pcmPort.onmessage = ({ data }: MessageEvent<PcmBlock>) => {
      this.#take.live?.push(data.channels);
      // Sound keeps the journal going even where the timers of a hidden tab are slowed down.
      if (performance.now() - this.#lastMs.flush > 2 * flushEveryMs) this.#tick();
    };
  }

  async #setPaused(isPaused: boolean): Promise<void> {
    const { live } = this.#take;
    if (live === null || this.#state !== 'recording') return;
    if (isPaused) {
      live.pause();
      this.#pauses.begin(live.capturedMs);
      return;
    }
    live.resume();
    await this.#pauses.end();
  }

  async #changeMarkers(command: Extract<TakeCommand, { markerId: string }>): Promise<void> {
    const changed = this.#applyToMarkers(command);
    this.#postMarkers();
    await changed;
  }

  #applyToMarkers(command: Extract<TakeCommand, { markerId: string }>): Promise<void> {
    if (command.type === 'remove-marker') return this.#markers.remove(command.markerId);
    if (command.type === 'rename-marker') return this.#markers.rename(command.markerId, command.label);
    const atMs = this.#take.live?.capturedMs ?? this.#take.kept.record.durationMs;
    return this.#markers.add({ id: command.markerId, atMs, label: command.label });
  }

  async #stop(): Promise<void> {
    const { live, kept, segments } = this.#take;
    if (live === null || this.#state !== 'recording') return;
    this.#state = 'stopping';
    const paused = this.#pauses.end();
    const { durationMs } = await live.finish();
    this.#pcmPort?.close();
    const sizeBytes = segments.reduce((sum, { audio }) => sum + audio.sizeBytes, 0);
    const saved = kept.change({ state: 'stopped', durationMs, sizeBytes });
    this.#state = 'stopped';
    this.#upload.wake();
    // On a full disk the record may not be saved; the audio is, and the next visit finds it as a take whose tab died.
    await Promise.allSettled([paused, saved]);
    this.#options.post({ type: 'stopped', takeId: this.#id, durationMs });
  }

  async #bringToServer(): Promise<void> {
    const durationMs = await this.#upload.run();
    if (this.#take.live === null && durationMs === 0) {
      await removeTake(this.#id);
      this.#options.post({ type: 'failed', takeId: this.#id, code: 'not-found', detail: 'nobody has any sound of it' });
      this.#options.onDone();
      return;
    }
    // Unsaved, the receipt is asked for again on the next visit: every call of the protocol may be repeated.
    // After a power cut the server may have more than this device: then its length is the recording's.
    await this.#take.kept.change({ receiptAtMs: Date.now(), durationMs: Math.max(durationMs, this.#take.kept.record.durationMs) }).catch(() => undefined);
    this.#postProgress();
    this.#options.post({ type: 'receipt', takeId: this.#id, durationMs: this.#take.kept.record.durationMs });
    this.#options.onDone();
  }

  #tick(): void {
    const { live } = this.#take;
    if (live !== null && this.#state === 'recording') {
      this.#postLevel();
      if (this.#isDue('flush', flushEveryMs)) live.flush();
      if (this.#isDue('save', saveEveryMs)) void this.#saveLength();
      if (live.capturedMs >= limits.longestTakeMs) void this.#stop();
    }
    if (this.#isDue('progress', progressEveryMs)) this.#postProgress();
  }

  #isDue(what: 'flush' | 'progress' | 'save', everyMs: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs[what] < everyMs) return false;
    this.#lastMs[what] = nowMs;
    return true;
  }

  /** So that a list of takes can say how long one is whose tab died. */
  async #saveLength(): Promise<void> {
    const { kept, live, segments } = this.#take;
    const sizeBytes = segments.reduce((sum, { audio }) => sum + audio.flushedBytes, 0);
    await kept.change({ durationMs: live?.capturedMs ?? 0, sizeBytes }).catch(() => undefined);
  }

  #postLevel(): void {
    const level = this.#take.live?.takeLevel();
    if (level) this.#options.post({ type: 'level', ...level }, [level.points.buffer]);
  }

  #postMarkers(): void {
    this.#options.post({ type: 'markers', markers: this.#markers.all });
  }

  #postProgress(): void {
    const capturedMs = this.#state === 'stopped' ? this.#take.kept.record.durationMs : this.#take.live?.capturedMs;
    this.#options.post({ type: 'progress', progress: progressOf(this.#take, this.#upload, capturedMs ?? 0), condition: this.#upload.condition });
  }
}
