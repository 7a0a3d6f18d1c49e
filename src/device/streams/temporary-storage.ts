import { deleteDB, openDB } from 'idb';
import { second } from '#base/duration.ts';

const maxProbeMs = second;
const probeName = 'earshot-probe';

/** What tells whether a window forgets what it stores. Tests pass fakes. */
interface StorageProbe {
  /** Undefined in a browser without files. */
  getDirectory: (() => Promise<unknown>) | undefined;
  /** Stores a Blob in a database, and removes it. */
  storeBlob: () => Promise<unknown>;
}

async function storeBlob(): Promise<void> {
  const database = await openDB(probeName, 1, {
    upgrade: (opened) => {
      opened.createObjectStore('blobs');
    },
  });
  try {
    await database.put('blobs', new Blob(['probe']), 'probe');
  } finally {
    database.close();
    void deleteDB(probeName).catch(() => undefined);
  }
}

const browserProbe = (): StorageProbe => ({
  getDirectory: navigator.storage?.getDirectory?.bind(navigator.storage),
  storeBlob,
});

async function rejectsFiles({ getDirectory }: StorageProbe): Promise<boolean> {
  if (getDirectory === undefined) return false;
  try {
    await getDirectory();
    return false;
  } catch {
    return true;
  }
}

/** WebKit writes a Blob into a file of its own, which a window without a disk does not have. */
async function rejectsBlobs(probe: StorageProbe): Promise<boolean> {
  try {
    await probe.storeBlob();
    return false;
  } catch (error) {
    return error instanceof DOMException && error.name === 'UnknownError';
  }
}

/**
 * Whether this window forgets what it stores when it is closed, as private windows do: the browser has files but
 * denies them here, or its database can't store a Blob. No browser says so itself. False if nothing tells, as in a
 * browser that has no files at all.
 */
export async function isStorageTemporary(probe = browserProbe()): Promise<boolean> {
  const { promise: unknown, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), maxProbeMs);
  const answer = async () => (await rejectsFiles(probe)) || rejectsBlobs(probe);
  return Promise.race([answer(), unknown]).finally(() => {
    clearTimeout(timer);
  });
}
