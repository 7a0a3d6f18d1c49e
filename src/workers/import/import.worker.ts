import { decodePeaks } from './decode-peaks.ts';
import { savePeaks, openCopy, openPeaks } from './import-files.ts';
import type { ImportRecord } from './import-record.ts';
import type { FromImportWorker, ImportFailure, ToImportWorker } from './messages.ts';
import { probeFile, FileRejection } from './probe/probe-file.ts';
import { readFile } from './read-file.ts';
import { ImportUpload } from './send-import.ts';
import { sleep } from '#workers/upload/wake.ts';

const post = (message: FromImportWorker): void => {
  postMessage(message);
};

const deps = {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  sleep,
  nowMs: () => performance.now(),
  random: () => Math.random(),
};

let upload: ImportUpload | null = null;
let isBusy = false;
const decoding = new AbortController();
let answerDecode: (isAllowed: boolean) => void = () => undefined;

function fail(code: ImportFailure, error: unknown): void {
  post({
    type: 'failed',
    code,
    detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  });
}

async function read({
  importId,
  file,
  mayBeUnread,
}: Extract<ToImportWorker, { type: 'read' }>): Promise<void> {
  const { facts, isSound } = await probeFile(file);
  if (!isSound && !mayBeUnread) {
    post({ type: 'unread' });
    return;
  }
  const { sha256, hasCopy } = await readFile(importId, file, (doneBytes) => {
    post({ type: 'reading', doneBytes });
  });
  post({ type: 'read', facts, sha256, hasCopy });
}

/** Decodes the file if the page allows it. Null if it does not, or if the file cannot be decoded. */
async function decodeIfAllowed(file: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  const { promise: answer, resolve } = Promise.withResolvers<boolean>();
  answerDecode = resolve;
  post({ type: 'decode-wanted' });
  if (!(await answer)) return null;
  try {
    return await decodePeaks(file, decoding.signal);
  } finally {
    post({ type: 'decoded' });
  }
}

/** The stored peaks; otherwise creates and stores them. */
async function peaksOf({ id, peaks, hasCopy }: ImportRecord, file: Blob): Promise<Blob | null> {
  if (peaks === 'server') return null;
  const stored = peaks === 'kept' ? await openPeaks(id) : null;
  if (stored !== null) return stored;
  const made = await decodeIfAllowed(file);
  if (made === null) {
    post({ type: 'peaks', peaks: 'server' });
    return null;
  }
  // Decoding twice may give different bytes, so the peaks are stored before any of them is sent.
  if (hasCopy && (await savePeaks(id, made))) post({ type: 'peaks', peaks: 'kept' });
  return new Blob([made]);
}

async function send({ record, file }: Extract<ToImportWorker, { type: 'send' }>): Promise<void> {
  const bytes = file ?? (await openCopy(record.id));
  if (bytes === null || bytes.size !== record.sizeBytes) {
    fail('file-gone', 'the copy is not there');
    return;
  }
  upload = new ImportUpload(
    record,
    {
      file: bytes,
      peaks: peaksOf(record, bytes),
      needAttach: () => {
        post({ type: 'attach-needed' });
      },
      onProgress: (sentBytes, condition) => {
        post({ type: 'sending', sentBytes, condition });
      },
      onUnreadable: (error) => {
        fail('file-gone', error);
      },
    },
    deps,
  );
  const progressTimer = setInterval(() => {
    upload?.tell();
  }, 1000);
  await upload.run();
  clearInterval(progressTimer);
  post({ type: 'receipt' });
}

async function work(message: Extract<ToImportWorker, { type: 'read' | 'send' }>): Promise<void> {
  isBusy = true;
  try {
    await (message.type === 'read' ? read(message) : send(message));
  } catch (error) {
    if (error instanceof FileRejection) post({ type: 'rejected', rejected: error.rejected });
    else
      fail(
        error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name)
          ? 'file-gone'
          : 'internal',
        error,
      );
  }
  close();
}

onmessage = ({ data }: MessageEvent<ToImportWorker>) => {
  if (data.type === 'attach') upload?.attach(data.upload);
  else if (data.type === 'decode') answerDecode(data.isAllowed);
  else if (data.type === 'stop-decoding') decoding.abort();
  else if (data.type === 'nudge') upload?.nudge();
  else if (!isBusy) void work(data);
};
