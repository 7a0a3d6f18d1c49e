import { createStore, type Store } from '#base/store.ts';
import { call } from '#web/api/call.ts';
import { SpeedMeter } from '#web/api/connection/speed-meter.ts';
import type { ExportContents } from '#workers/account-import/messages.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { planAccountImport, retryUntilAnswered } from './account-import-calls.ts';
import { AccountImportRun } from './account-import-run.ts';
import { startAccountImportClient, type AccountImportClient } from './account-import-client.ts';
import {
  sentBytesOf,
  type AccountImportPlan,
  type AccountImportProgress,
  type AccountImportView,
} from './account-import-view.ts';

const nothing: AccountImportProgress = {
  done: 0,
  imported: 0,
  failures: [],
  rejectedItems: 0,
  leftOutWords: 0,
  doneBytes: 0,
  speed: null,
  current: null,
};

export interface AccountImporterDeps {
  /** A recording may have been added. */
  onImported: () => void;
  /** The import has ended with this number of new recordings. */
  onEnded: (imported: number) => void;
}

/** The upload speed of a whole plan; null until there is enough data. */
function speedOf(
  meter: SpeedMeter,
  { toSendBytes }: AccountImportPlan,
  sentBytes: number,
): AccountImportProgress['speed'] {
  const leftMs = meter.leftMs(toSendBytes - sentBytes);
  return meter.bytesPerSecond === null || leftMs === null
    ? null
    : { bytesPerSecond: meter.bytesPerSecond, leftMs };
}

/**
 * Imports an export of an account: reads its contents, then sends one recording after the other. It outlives every
 * screen, but not the page.
 */
export class AccountImporter implements Store<AccountImportView> {
  readonly #view = createStore<AccountImportView>({ step: 'idle' });
  readonly #deps: AccountImporterDeps;
  #file: File | null = null;
  #contents: ExportContents | null = null;
  #reader: AccountImportClient | null = null;
  #run: AccountImportRun | null = null;
  #userId: string | null = null;

  readonly subscribe = this.#view.subscribe;
  readonly getSnapshot = this.#view.getSnapshot;

  constructor(deps: AccountImporterDeps) {
    this.#deps = deps;
  }

  /** Opens a file and reads its contents. */
  choose(file: File, userId: string | null): void {
    this.drop();
    this.#file = file;
    this.#userId = userId;
    this.#view.set({ step: 'opening', done: 0, all: 0 });
    const reader = startAccountImportClient((message) => {
      if (message.type === 'opening')
        this.#view.set({ step: 'opening', done: message.done, all: message.all });
      if (message.type === 'rejected' || message.type === 'failed') this.#reject(message.reason);
      if (message.type === 'opened') {
        this.#endReader();
        this.#contents = message.contents;
        void this.#plan(file);
      }
    });
    this.#reader = reader;
    reader.post({ type: 'open', file });
  }

  /** Asks the server again what it has of the chosen file. */
  readonly plan = (): void => {
    if (this.#file !== null) void this.#plan(this.#file);
  };

  /** Starts, or continues after a pause. */
  readonly start = (): void => {
    const view = this.#view.getSnapshot();
    if (this.#file === null) return;
    if (view.step === 'ready') void this.#import(this.#file, view.plan, nothing);
    if (view.step === 'paused') void this.#import(this.#file, view.plan, view.progress);
  };

  readonly pause = (): void => {
    this.#halt(null);
  };

  /** Drops the file. What has been imported stays. */
  readonly drop = (): void => {
    this.#endReader();
    this.#run?.end();
    this.#run = null;
    this.#file = null;
    this.#contents = null;
    this.#view.set({ step: 'idle' });
  };

  #endReader(): void {
    this.#reader?.end();
    this.#reader = null;
  }

  #reject(reason: Extract<AccountImportView, { step: 'rejected' }>['reason']): void {
    this.drop();
    this.#view.set({ step: 'rejected', reason });
  }

  async #plan(file: File): Promise<void> {
    const contents = this.#contents;
    if (contents === null) return;
    try {
      const plan = await planAccountImport(contents, this.#userId);
      if (this.#file === file) this.#view.set({ step: 'ready', plan });
    } catch (error) {
      if (this.#file === file) this.#view.set({ step: 'unchecked', error });
    }
  }

  /**
   * Stops the work.
   * @param error the reason; null if the user stopped it
   */
  #halt(error: unknown): void {
    const view = this.#view.getSnapshot();
    this.#run?.end();
    this.#run = null;
    if (view.step === 'running')
      this.#view.set({
        step: 'paused',
        plan: view.plan,
        progress: { ...view.progress, current: null },
        error,
      });
  }

  async #import(file: File, plan: AccountImportPlan, from: AccountImportProgress): Promise<void> {
    let progress = from;
    const show = (change: Partial<AccountImportProgress>): void => {
      progress = { ...progress, ...change };
      if (this.#run === run) this.#view.set({ step: 'running', plan, progress });
    };
    const meter = new SpeedMeter();
    const run = new AccountImportRun(file, this.#userId, (current) => {
      const sentBytes = sentBytesOf({ ...progress, current });
      meter.mark(sentBytes, performance.now());
      show({ current, speed: speedOf(meter, plan, sentBytes) });
    });
    this.#run = run;
    show({});
    try {
      const { rejected } = await retryUntilAnswered(
        () => call('restoreExportedAccount', { body: plan.contents.account, ...run.terms }),
        run.isWanted,
      );
      show({ rejectedItems: rejected.length });
      for (const recording of plan.toSend.slice(from.done)) {
        // Paused or cancelled during the request.
        if (!run.isWanted()) return;
        const outcome = await run.one(recording);
        const isHere = outcome === 'restored' || outcome === 'present';
        show({
          done: progress.done + 1,
          doneBytes: progress.doneBytes + recording.sizeBytes,
          current: null,
          imported: progress.imported + (isHere ? 1 : 0),
          leftOutWords: progress.leftOutWords + (outcome === 'restored' ? run.leftOutWords : 0),
          failures: isHere
            ? progress.failures
            : [...progress.failures, { title: titleText(recording), reason: outcome }],
        });
        this.#deps.onImported();
        if (outcome === 'file-gone') break;
      }
    } catch (error) {
      if (this.#run === run) this.#halt(error);
    }
    if (this.#run === run) this.#end(plan, progress);
  }

  #end(plan: AccountImportPlan, progress: AccountImportProgress): void {
    this.#run?.end();
    this.#run = null;
    this.#view.set({ step: 'ended', plan, progress });
    this.#deps.onImported();
    this.#deps.onEnded(progress.imported);
  }
}
