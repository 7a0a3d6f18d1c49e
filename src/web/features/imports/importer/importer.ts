import { createStore, type Store } from '#base/store.ts';
import { senderId } from '#web/api/session-state.ts';
import { type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import type { UnfinishedImport } from '#contract/storage-api.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { continueImport, isCutOffImportOf } from './continue-import.ts';
import {
  type ImportJob,
  type ImportState,
  type ImportsView,
  hasArrived,
  isActive,
  itemOf,
  storedState,
  unattachedState,
} from './import-item.ts';
import {
  adoptStored,
  removeCopy,
  removeImport,
  isClaimed,
  saveImport,
  saveNewImports,
  saveSharedFiles,
} from './import-storage.ts';
import { nextJob, visibleJobs } from './job-queue.ts';
import { judgeImports, type ImportJudgement } from './judge-imports.ts';
import { dateChoice, sendTime } from './file-dates.ts';
import { type ImportReport, sendingState, startWork, type Work } from './import-work.ts';
import { newRecord } from './new-record.ts';
import { requestAdmission, registerImport, settleImport, waitingFor } from './server-calls.ts';

export interface ImporterDeps {
  nowMs: () => number;
  judgementOf: (record: ImportRecord) => Promise<ImportJudgement>;
  onImported: () => void;
}

/**
 * All imports of one page. Reads one file at a time, sends two, and continues those of earlier pages. It outlives
 * every screen.
 */
export class Importer implements Store<ImportsView> {
  readonly #deps: ImporterDeps;
  readonly #view = createStore<ImportsView>({ rows: [], leftOut: [], unopened: [] });
  readonly #jobs = new Map<string, ImportJob>();
  readonly #works = new Map<string, Work>();
  #named: Pick<ImportsView, 'leftOut' | 'unopened'> = { leftOut: [], unopened: [] };

  readonly subscribe = this.#view.subscribe;
  readonly getSnapshot = this.#view.getSnapshot;

  constructor(deps: ImporterDeps) {
    this.#deps = deps;
  }

  /**
   * Shows files that another app or page handed over, and continues imports that earlier pages left on this
   * device.
   */
  async start(): Promise<void> {
    await saveSharedFiles(({ id, file }) => ({ ...newRecord(file, senderId(), id), isOffered: true }));
    await adoptStored((record, file) => {
      this.#adopt(record, file);
    });
  }

  /** Starts the import of files that another app or page handed over. */
  readonly accept = (ids: readonly string[]): void => {
    for (const id of ids) {
      if (this.#jobs.get(id)?.state.step !== 'offered') continue;
      this.#change(id, { isOffered: false });
      this.#wait(id);
    }
  };

  /** Handles a sign-in or sign-out. */
  readonly sessionChanged = (): void => {
    const ownerId = senderId();
    for (const job of ownerId === null ? [] : this.#jobs.values()) {
      // Started in this tab while nobody was signed in: it is this user's, and no later user's.
      if (job.record.ownerId === null && isActive(job.state)) this.#change(job.record.id, { ownerId });
      if (job.state.step === 'sign-in') job.state = { step: 'waiting' };
    }
    this.#startNext();
  };

  /** Starts importing files, and shows the names of those that are not tried. */
  readonly add = async ({ files, leftOut, unopened }: ChosenFiles): Promise<void> => {
    const jobs = files.map((file): ImportJob => ({
      record: newRecord(file, senderId()),
      file,
      state: { step: 'waiting' },
    }));
    for (const job of jobs) this.#replaceCutOff(job);
    for (const job of jobs) this.#jobs.set(job.record.id, job);
    this.#named = {
      leftOut: [...this.#named.leftOut, ...leftOut],
      unopened: [...this.#named.unopened, ...unopened],
    };
    this.#show();
    await saveNewImports(jobs.map(({ record }) => record));
    this.#startNext();
  };

  /** Asks what the server found in files that it has, or in that of one recording. */
  readonly judge = (recordingId?: string): Promise<void> =>
    judgeImports(this.#jobs, recordingId, {
      judgementOf: this.#deps.judgementOf,
      onJudged: (job, judgement) => {
        const { id, isPutAside } = job.record;
        if (judgement === 'unplayable') return this.#set(job, { step: 'unplayable' });
        if (judgement === 'gone' || isPutAside === true) return this.dismiss(id);
        this.#set(job, { step: 'done' });
        void removeImport(id);
      },
    });

  readonly pause = (id: string): void => {
    this.#stop(id, { step: 'paused' });
    this.#change(id, { isPaused: true });
  };

  /** Continues a paused import, or retries one that failed or exceeded the quota. */
  readonly resume = (id: string): void => {
    this.#change(id, { isPaused: false });
    this.#wait(id);
  };

  /** Imports a file after the user confirmed it: it is on the server already, or may contain no sound. */
  readonly insist = (id: string): void => {
    this.#change(
      id,
      this.#jobs.get(id)?.state.step === 'unread' ? { mayBeUnread: true } : { mayRepeat: true },
    );
    this.#wait(id);
  };

  /** Uses the dates of files of which nothing else says when they were recorded, or leaves them unknown. */
  readonly chooseDates = (ids: readonly string[], isUsed: boolean): void => {
    for (const id of ids) this.#change(id, dateChoice(this.#jobs.get(id), isUsed));
    for (const id of ids) sendTime(this.#jobs.get(id), this.#deps.onImported);
    this.#show();
  };

  /** Stops an import. `undo` restores it until `discard` deletes it. */
  readonly cancel = (id: string): void => {
    const job = this.#jobs.get(id);
    if (!job) return;
    this.#stop(id, { step: 'cancelled' });
    this.#change(id, { cancelledAtMs: this.#deps.nowMs() });
    if (job.record.isRegistered) void settleImport(job.record, 'trash');
  };

  /** Deletes a cancelled import, on the server as soon as it can be reached. */
  readonly discard = (id: string): void => {
    const job = this.#jobs.get(id);
    if (job?.state.step === 'cancelled') void this.#remove(job);
  };

  readonly undo = async (id: string): Promise<void> => {
    const job = this.#jobs.get(id);
    if (job?.state.step !== 'cancelled') return;
    job.state = { step: 'paused' };
    this.#show();
    this.#change(id, { cancelledAtMs: null });
    if (job.record.isRegistered) await settleImport(job.record, 'restore');
    this.#wait(id);
  };

  /** Removes an import that ended or was only offered from the screen and from this device. */
  readonly dismiss = (id: string): void => {
    if (!this.#jobs.delete(id)) return;
    void removeImport(id);
    this.#show();
  };

  /** Hides all imports. Finished ones are removed; the others stay behind the badge of Import files. */
  readonly close = (): void => {
    for (const { record, state } of this.#jobs.values()) if (state.step === 'done') this.dismiss(record.id);
    for (const id of this.#jobs.keys()) this.#change(id, { isPutAside: true });
    this.dismissNamed();
  };

  /** Shows hidden imports again. */
  readonly reopen = (): void => {
    for (const { record } of this.#jobs.values())
      if (record.isPutAside) this.#change(record.id, { isPutAside: false });
    this.#show();
  };

  /** Hides the names of files that were not tried. */
  readonly dismissNamed = (): void => {
    this.#named = { leftOut: [], unopened: [] };
    this.#show();
  };

  #adopt(record: ImportRecord, file: File | null): void {
    const job: ImportJob = {
      record,
      file,
      state: storedState(record, { hasFile: file !== null, isClaimed: isClaimed(record.id) }),
    };
    if (record.cancelledAtMs !== null) {
      void this.#remove(job);
      return;
    }
    this.#jobs.set(record.id, job);
    this.#startNext();
    if (job.state.step === 'checking') void this.judge(recordingIdOf(record));
  }

  /** The outbox deletes the recording on the server, also after this page and for an owner who signs in later. */
  async #remove(job: ImportJob): Promise<void> {
    const { id, isRegistered } = job.record;
    const isSettled = !isRegistered || (await settleImport(job.record, 'purge'));
    this.#jobs.delete(id);
    // If the device has no space for the entry, the record stays cancelled, and the next page tries again.
    if (isSettled) await removeImport(id);
    this.#show();
  }

  /** Settles the recording that the server has created of a cancelled or removed import. */
  #settleCancelled(job: ImportJob): void {
    if (job.state.step === 'cancelled')
      void settleImport(job.record, this.#jobs.has(job.record.id) ? 'trash' : 'purge');
  }

  #change(id: string, changes: Partial<ImportRecord>): void {
    const job = this.#jobs.get(id);
    if (!job) return;
    job.record = { ...job.record, ...changes };
    // Nothing of a rejected file stays on this device.
    if (job.state.step !== 'rejected') void saveImport(job.record);
  }

  #wait(id: string): void {
    const job = this.#jobs.get(id);
    if (!job || isActive(job.state)) return;
    job.state = { step: 'waiting' };
    this.#startNext();
  }

  /** Stops the work on an import, if any, and sets its state. */
  #stop(id: string, state: ImportState): void {
    const job = this.#jobs.get(id);
    if (!job) return;
    if (job.state.step === 'sending') job.record = { ...job.record, sentBytes: job.state.sentBytes };
    job.state = state;
    this.#works.get(id)?.thread.end();
    this.#works.delete(id);
    this.#startNext();
  }

  /** Starts as many waiting imports as may run at once, and updates the view. */
  #startNext(): void {
    const toRead = nextJob(this.#jobs, 'reading');
    if (toRead) this.#read(toRead);
    for (let job = nextJob(this.#jobs, 'sending'); job; job = nextJob(this.#jobs, 'sending'))
      this.#admit(job);
    this.#show();
  }

  #show(): void {
    this.#view.set({
      rows: visibleJobs(this.#jobs)
        .filter(({ state }) => state.step !== 'cancelled')
        .map(itemOf),
      ...this.#named,
    });
  }

  #start(job: ImportJob): Work {
    const work = startWork(job, (message) => {
      this.#handleMessage(work, message);
    });
    this.#works.set(job.record.id, work);
    return work;
  }

  #read(job: ImportJob): void {
    if (job.file === null) return;
    job.state = { step: 'reading', doneBytes: 0 };
    this.#start(job).thread.post({
      type: 'read',
      importId: job.record.id,
      file: job.file,
      mayBeUnread: job.record.mayBeUnread === true,
    });
  }

  #admit(job: ImportJob): void {
    if (senderId() === null) {
      job.state = { step: 'sign-in' };
      return;
    }
    const { record } = job;
    job.state = unattachedState(record);
    if (record.isRegistered) this.#send(job);
    else void this.#requestAdmission(job);
  }

  async #requestAdmission(job: ImportJob): Promise<void> {
    let asking = job.state;
    const isWanted = () => job.state === asking;
    const admission = await requestAdmission(job.record, {
      isWanted,
      onRetry: (why) => {
        asking = waitingFor(asking, why);
        this.#set(job, asking);
      },
    });
    if (!isWanted()) return;
    if (admission.kind === 'welcome') this.#send(job);
    else if (admission.kind === 'begun') await this.#continue(job, admission.unfinished);
    else
      this.#stop(
        job.record.id,
        admission.kind === 'same' ? { step: 'duplicate', of: admission.of } : admission.state,
      );
  }

  /** Sends the rest of an import that was interrupted, whichever page, browser or device began it. */
  async #continue(job: ImportJob, unfinished: UnfinishedImport): Promise<void> {
    const { state } = job;
    const next = await continueImport(job, unfinished, this.#jobs);
    if (job.state !== state) return;
    if (next.kind === 'send') {
      this.#change(job.record.id, next.changes);
      this.#send(job);
    } else if (next.kind === 'elsewhere')
      // Another page sends these bytes, so skipping this file loses nothing.
      this.#stop(job.record.id, { step: 'duplicate', of: [unfinished] });
    else {
      this.dismiss(job.record.id);
      this.#resumeOlder(next.older, unfinished);
    }
  }

  #resumeOlder({ record, state }: ImportJob, { epoch }: UnfinishedImport): void {
    if (hasArrived(state)) return;
    // A writer that took it over has gone, so this page takes it back.
    if (epoch > record.epoch) this.#stop(record.id, { step: 'paused' });
    this.#change(record.id, { epoch: Math.max(record.epoch, epoch), isPutAside: false });
    this.resume(record.id);
  }

  /** A file that was chosen again replaces the row that asked for it. */
  #replaceCutOff({ record, file }: ImportJob): void {
    if (file === null) return;
    for (const job of this.#jobs.values())
      if (isCutOffImportOf(job, file, record.name)) this.dismiss(job.record.id);
  }

  #send(job: ImportJob): void {
    this.#change(job.record.id, { epoch: job.record.epoch + 1 });
    const file = job.record.hasCopy ? null : job.file;
    this.#start(job).thread.post({ type: 'send', record: job.record, file });
  }

  async #register(work: Work): Promise<void> {
    const { job, thread } = work;
    const { id, facts } = job.record;
    const isWanted = () => this.#works.get(id)?.thread === thread;
    const registration = await registerImport(job.record, {
      isWanted,
      onRetry: (why) => {
        work.retryReason = why;
        if (isWanted() && job.state.step === 'sending')
          this.#set(job, sendingState(work, { ...job.state, condition: 'unattached' }));
      },
    });
    work.retryReason = null;
    if (registration.kind === 'rejected') {
      if (isWanted()) this.#stop(id, registration.state);
      return;
    }
    const { ownerId } = registration;
    this.#change(id, { ownerId, isRegistered: true });
    if (job.record.facts !== facts) sendTime(job, this.#deps.onImported);
    if (registration.kind === 'there') {
      if (isWanted()) this.#finish(job);
      else this.#settleCancelled({ ...job, record: { ...job.record, ownerId } });
      return;
    }
    this.#change(id, { upload: registration.upload });
    if (isWanted()) thread.post({ type: 'attach', upload: registration.upload });
    // Cancelled during the request, so the recording on the server is not wanted either.
    else this.#settleCancelled({ ...job, record: { ...job.record, ownerId } });
  }

  #handleMessage(work: Work, message: ImportReport): void {
    const { id } = work.job.record;
    switch (message.type) {
      case 'reading':
        this.#set(work.job, { step: 'reading', doneBytes: message.doneBytes });
        break;
      case 'read':
        this.#change(id, { facts: message.facts, sha256: message.sha256, hasCopy: message.hasCopy });
        this.#stop(id, { step: 'waiting' });
        break;
      case 'rejected':
        this.#stop(id, { step: 'rejected', ...message.rejected });
        void removeImport(id);
        break;
      case 'unread':
        this.#stop(id, { step: 'unread' });
        break;
      case 'attach-needed':
        void this.#register(work);
        break;
      case 'sending':
        this.#set(work.job, sendingState(work, message));
        break;
      case 'peaks':
        this.#change(id, { peaks: message.peaks });
        break;
      case 'receipt':
        this.#finish(work.job);
        break;
      case 'failed':
        this.#stop(id, { step: 'failed', error: message.code });
        break;
    }
  }

  #set(job: ImportJob, state: ImportState): void {
    job.state = state;
    this.#show();
  }

  #finish(job: ImportJob): void {
    const { id } = job.record;
    this.#stop(id, { step: 'checking' });
    this.#change(id, { isUploaded: true, hasCopy: false, sentBytes: job.record.sizeBytes });
    void removeCopy(id);
    this.#deps.onImported();
    void this.judge(recordingIdOf(job.record));
  }
}
