/** The folder of the slot files in the origin private file system; rejects where this window has none. */
export async function slotDirectory(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle('slots', { create: true });
}

/** The file of a slot, or null when it is gone. */
export async function findSlotFile(name: string): Promise<FileSystemFileHandle | null> {
  try {
    return await (await slotDirectory()).getFileHandle(name);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return null;
    throw error;
  }
}

/** The file of a slot, made when it is not there. */
export async function makeSlotFile(name: string): Promise<FileSystemFileHandle> {
  return (await slotDirectory()).getFileHandle(name, { create: true });
}

/** The names of all slot files that are there. */
export async function slotFileNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (await slotDirectory()).keys()) names.push(name);
  return names;
}

/** Whether files can be written here at all: only in a worker, and not in every browser's private window. */
export async function hasSlotFiles(): Promise<boolean> {
  try {
    await slotDirectory();
    return 'createSyncAccessHandle' in FileSystemFileHandle.prototype;
  } catch {
    return false;
  }
}

const tries = 20;
const betweenTriesMs = 100;

/**
 * Opens a file for writing. After a crash the browser may hold the handle of the dead worker a moment longer
 * than its lock.
 */
export async function openHandle(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      const isHeld = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isHeld || attempt === tries) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, betweenTriesMs);
      });
    }
  }
}
