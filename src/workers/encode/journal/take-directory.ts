/** The folder of one take in the origin private file system, made when it is not there. */
export async function openTakeDirectory(takeId: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const takes = await root.getDirectoryHandle('takes', { create: true });
  return takes.getDirectoryHandle(takeId, { create: true });
}

/** Removes the folder of one take with all that is in it; a folder that is not there is removed already. */
export async function removeTakeDirectory(takeId: string): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    const takes = await root.getDirectoryHandle('takes');
    await takes.removeEntry(takeId, { recursive: true });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The file of one stream of one segment, e.g. `0000.audio`. */
export function streamFileName(segmentIndex: number, stream: 'audio' | 'peaks'): string {
  return `${String(segmentIndex).padStart(4, '0')}.${stream}`;
}

/** A stored stream as a file to play or download, without waiting for its writer; null when there is none. */
export async function readTakeFile(takeId: string, name: string): Promise<File | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const takes = await root.getDirectoryHandle('takes');
    const directory = await takes.getDirectoryHandle(takeId);
    return await (await directory.getFileHandle(name)).getFile();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

const isNotFound = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError';
