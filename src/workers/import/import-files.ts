const folderName = 'imports';

async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(folderName, { create: true });
}

const peaksName = (importId: string): string => `${importId}.peaks`;

/** The open copy of a file, locked by its creator until `close`. */
export interface CopyFile {
  /**
   * Appends bytes.
   * @throws DOMException `QuotaExceededError` if the device is full
   */
  write: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Flushes all bytes to disk. */
  finish: () => void;
  close: () => void;
}

/** Creates the copy of an import; null if this browser or window has no file storage. */
export async function createCopy(importId: string): Promise<CopyFile | null> {
  try {
    const handle = await (await folder()).getFileHandle(importId, { create: true });
    const access = await handle.createSyncAccessHandle();
    access.truncate(0);
    let at = 0;
    return {
      write: (bytes) => {
        const written = access.write(bytes, { at });
        at += written;
        if (written < bytes.length) throw new DOMException('the device is full', 'QuotaExceededError');
      },
      finish: () => {
        access.flush();
      },
      close: () => {
        access.close();
      },
    };
  } catch {
    return null;
  }
}

/** The copy of an import, for reading in pieces; null if there is no copy. */
export const openCopy = (importId: string): Promise<File | null> => fileOf(importId);

/** Stores the peaks of an import next to its copy; false if that is not possible. */
export async function savePeaks(importId: string, peaks: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const file = await createCopy(peaksName(importId));
  if (file === null) return false;
  try {
    file.write(peaks);
    file.finish();
    return true;
  } catch {
    return false;
  } finally {
    file.close();
  }
}

/** The stored peaks of an import; null if there are no peaks. */
export const openPeaks = (importId: string): Promise<File | null> => fileOf(peaksName(importId));

async function fileOf(name: string): Promise<File | null> {
  try {
    return await (await (await folder()).getFileHandle(name)).getFile();
  } catch {
    return null;
  }
}

/** Deletes the files of an import. */
export async function removeFiles(importId: string): Promise<void> {
  for (const name of [importId, peaksName(importId)]) {
    await folder()
      .then((directory) => directory.removeEntry(name))
      .catch(() => undefined);
  }
}

/** Total size of the copies and peaks of all imports on this device. */
export async function storedImportBytes(): Promise<number> {
  let bytes = 0;
  try {
    for await (const handle of (await folder()).values())
      if (handle.kind === 'file') bytes += (await handle.getFile()).size;
  } catch {
    // A browser without file storage stores nothing.
  }
  return bytes;
}

/** The ids of the imports that have files on this device. */
export async function storedImportIds(): Promise<string[]> {
  try {
    const ids = new Set<string>();
    for await (const name of (await folder()).keys()) ids.add(name.replace(/\.peaks$/, ''));
    return [...ids];
  } catch {
    return [];
  }
}
