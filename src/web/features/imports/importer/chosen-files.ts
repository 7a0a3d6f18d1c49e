import { isLikelySound, isLikelySilent } from '#workers/import/probe/likely-sound.ts';

/** What somebody chose, dropped or pasted. */
export interface ChosenFiles {
  files: readonly File[];
  /** Names of files in folders that can be no audio: said, but not tried. */
  leftOut: readonly string[];
  /** Names of files and folders that the system did not let the page open. */
  unopened: readonly string[];
}

/**
 * Files that were meant one by one are all tried. Of a folder everything is tried but what says that there is
 * no sound in it, which is named, and the hidden files that systems put into folders. A recorder may call a
 * recording without a title `.mp3`.
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

/** Whether files are being dragged, or were pasted: text and links are left to the page. */
export const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer !== null && Array.from(transfer.types).includes('Files');

interface Paste {
  target: unknown;
  clipboardData: { types: readonly string[]; files: ArrayLike<File> } | null;
}

const editable = 'input, textarea, [contenteditable]:not([contenteditable="false"])';

/**
 * Whether a paste means files: not in a field, and not where an office program put a picture beside its text.
 * File managers put names beside files too.
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
 * The files of a drop or a paste, those within folders too.
 * Must be called while the event is handled: the browser takes the list away afterwards.
 */
export async function filesOf(transfer: DataTransfer): Promise<ChosenFiles> {
  const items = Array.from(transfer.items).map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  // A file that some programs hand over has no entry.
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

/** Adds the files of a folder and its folders; what cannot be opened is named and keeps nothing else away. */
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

/** A folder gives its entries in portions, a hundred at a time in Chromium, until it has no more. */
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
