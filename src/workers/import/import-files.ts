const folderName = 'imports';

async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(folderName, { create: true });
}

const peaksName = (importId: string): string => `${importId}.peaks`;

/** Where the copy of a file is written; its lock is the caller's until `close`. */
export interface CopyFile {
  /** Appends bytes; throws `QuotaExceededError` where the device is full. */
  write: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** All of it is on the disk. */
  finish: () => void;
  close: () => void;
}

/** Begins the copy of an import; null where this browser, or this window, keeps no files. */
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

/** The copy of an import, to be read in pieces; null where there is none. */
export const openCopy = (importId: string): Promise<File | null> => fileOf(importId);

/** Keeps the peaks of an import beside its copy; false where that is not possible. */
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

/** The peaks that were kept beside the copy; null where there are none. */
export const openPeaks = (importId: string): Promise<File | null> => fileOf(peaksName(importId));

async function fileOf(name: string): Promise<File | null> {
  try {
    return await (await (await folder()).getFileHandle(name)).getFile();
  } catch {
    return null;
  }
}

/** Removes what this device keeps of an import. */
export async function removeFiles(importId: string): Promise<void> {
  for (const name of [importId, peaksName(importId)]) {
    await folder()
      .then((directory) => directory.removeEntry(name))
      .catch(() => undefined);
  }
}

/** How large the copies and peaks of imports on this device are together. */
export async function storedImportBytes(): Promise<number> {
  let bytes = 0;
  try {
    for await (const handle of (await folder()).values())
      if (handle.kind === 'file') bytes += (await handle.getFile()).size;
  } catch {
    // A browser that refuses its files stores none.
  }
  return bytes;
}

/** The ids of the imports of which this device keeps files. */
export async function storedImportIds(): Promise<string[]> {
  try {
    const ids = new Set<string>();
    for await (const name of (await folder()).keys()) ids.add(name.replace(/\.peaks$/, ''));
    return [...ids];
  } catch {
    return [];
  }
}
