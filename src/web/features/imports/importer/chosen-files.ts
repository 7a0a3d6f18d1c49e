import { isLikelySound, isLikelySilent } from '#workers/import/probe/likely-sound.ts';

/** Files that the user chose, dropped or pasted. */
export interface ChosenFiles {
  files: readonly File[];
  /** Names of files in folders that cannot contain audio. They are shown, but not tried. */
  leftOut: readonly string[];
  /** Names of files and folders that the system did not let the page open. */
  unopened: readonly string[];
}

/**
 * Files chosen individually are all tried. A folder's files are tried too, except those that cannot contain sound,
 * which are named, and hidden files of the system. A recorder may call an untitled recording `.mp3`.
 */
export function chosenFrom(files: readonly File[], isFolder: boolean): ChosenFiles {
  if (!isFolder) return { files, leftOut: [], unopened: [] };
  const isHidden = (file: File) =>
    file.name.startsWith('._') || (file.name.startsWith('.') && !isLikelySound(file));
  const visible = files.filter((file) => !isHidden(file));
  return {
    files: visible.filter((file) => !isLikelySilent(file)),
    leftOut: visible.filter(isLikelySilent).map(({ name }) => name),
    unopened: [],
  };
}

/** Whether files are being dragged or pasted. The page handles text and links. */
export const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer !== null && Array.from(transfer.types).includes('Files');

interface Paste {
  target: unknown;
  clipboardData: { types: readonly string[]; files: ArrayLike<File> } | null;
}

const editable = 'input, textarea, [contenteditable]:not([contenteditable="false"])';

/**
 * Whether a paste means files: not in a form field, and not if an office program added a picture to its text. File
 * managers add the names of files as text too.
 */
export function isPasteOfFiles({ target, clipboardData }: Paste): boolean {
  if (clipboardData === null || clipboardData.files.length === 0) return false;
  if (target instanceof Element && target.closest(editable) !== null) return false;
  return (
    !clipboardData.types.includes('text/plain') ||
    Array.from(clipboardData.files).some(({ type }) => !type.startsWith('image/'))
  );
}

/**
 * The files of a drop or a paste, including those in folders.
 * Call it while the event is being handled: the browser clears the list afterwards.
 */
export async function filesOf(transfer: DataTransfer): Promise<ChosenFiles> {
  const items = Array.from(transfer.items).map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  // Files from some programs have no entry.
  const alone = items.flatMap(({ entry, file }) =>
    entry?.isDirectory === true || file === null ? [] : [file],
  );
  const within: File[] = [];
  const unopened: string[] = [];
  for (const { entry } of items)
    if (entry !== null && isDirectoryEntry(entry)) await collect(entry, within, unopened);
  const grouped = chosenFrom(within, true);
  return { files: [...alone, ...grouped.files], leftOut: grouped.leftOut, unopened };
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectoryEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

/** Adds the files of a folder and its subfolders. Names what cannot be opened and continues with the rest. */
async function collect(entry: FileSystemEntry, files: File[], unopened: string[]): Promise<void> {
  try {
    if (isFileEntry(entry)) files.push(await fileOf(entry));
    if (!isDirectoryEntry(entry)) return;
    const entries = (await entriesOf(entry)).toSorted((a, b) =>
      a.name.localeCompare(b.name, undefined, { numeric: true }),
    );
    for (const inner of entries) await collect(inner, files, unopened);
  } catch {
    unopened.push(entry.name);
  }
}

/**
 * Reads all entries of a folder. The browser returns them in portions, of a hundred in Chromium, and ends with an
 * empty one.
 */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}
