import { sleep } from '#workers/upload/wake.ts';
import { checkFiles } from './check-files.ts';
import type { FromAccountImportWorker, AccountImportFailure, ToAccountImportWorker } from './messages.ts';
import { ExportFile, ExportRejected, isUnreadable } from './read-export.ts';
import { RecordingImport, ImportRejected } from './send-recording.ts';

const post = (message: FromAccountImportWorker): void => {
  postMessage(message);
};
const deps = {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  sleep,
  nowMs: () => performance.now(),
  random: () => Math.random(),
};

let opened: ExportFile | null = null;
let running: RecordingImport | null = null;
let stored: (() => void) | null = null;

const isGone = (error: unknown): boolean =>
  error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name);

function reasonOf(error: unknown): AccountImportFailure {
  if (isGone(error)) return 'file-gone';
  if (error instanceof ImportRejected) return 'rejected-by-server';
  return isUnreadable(error) || error instanceof ExportRejected ? 'damaged' : 'internal';
}

function fail(error: unknown): void {
  post({
    type: 'failed',
    reason: reasonOf(error),
    detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  });
}

async function open(file: File): Promise<void> {
  try {
    opened = await ExportFile.open(file);
    post({
      type: 'opened',
      contents: await opened.contents((done, all) => {
        post({ type: 'opening', done, all });
      }),
    });
  } catch (error) {
    if (error instanceof ExportRejected) post({ type: 'rejected', reason: error.reason });
    else fail(error);
  }
}

async function restore(file: File, folder: string): Promise<void> {
  const progressTimer = setInterval(() => {
    running?.tell();
  }, 1000);
  try {
    opened ??= await ExportFile.open(file);
    const recording = await opened.recording(folder);
    await checkFiles(recording, (checkedBytes) => {
      post({ type: 'checked', checkedBytes });
    });
    const recordingId = recording.described.id;
    running = new RecordingImport(
      recording,
      {
        needAttach: (description) => {
          post({ type: 'attach-needed', recordingId, description });
        },
        storeLabels: (labels) =>
          new Promise((resolve) => {
            stored = resolve;
            post({ type: 'labels', recordingId, labels });
          }),
        storeTranscript: (transcript) =>
          new Promise((resolve) => {
            stored = resolve;
            post({ type: 'transcript', recordingId, transcript });
          }),
        onUnreadableWords: (count) => {
          post({ type: 'unreadable-words', count });
        },
        onProgress: (sentBytes, condition) => {
          post({ type: 'sending', sentBytes, condition });
        },
      },
      deps,
    );
    await running.run();
    post({ type: 'restored' });
  } catch (error) {
    fail(error);
  } finally {
    running = null;
    clearInterval(progressTimer);
  }
}

onmessage = ({ data }: MessageEvent<ToAccountImportWorker>) => {
  switch (data.type) {
    case 'open':
      void open(data.file);
      break;
    case 'restore':
      void restore(data.file, data.folder);
      break;
    case 'attach':
      running?.attach(data.upload);
      break;
    case 'stored':
      stored?.();
      break;
    case 'nudge':
      running?.nudge();
      break;
  }
};
