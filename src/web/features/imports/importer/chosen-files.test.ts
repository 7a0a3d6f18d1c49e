import { expect, test, vi } from 'vitest';
import { chosenFrom, filesOf, isPasteOfFiles } from './chosen-files.ts';

/** An element inside a form field, or outside. */
class FakeElement {
  isInField = false;
  closest(): FakeElement | null {
    return this.isInField ? this : null;
  }
}

function isTaken(types: string[], files: File[], isInField = false): boolean {
  vi.stubGlobal('Element', FakeElement);
  return isPasteOfFiles({
    target: Object.assign(new FakeElement(), { isInField }),
    clipboardData: { types, files },
  });
}

const sound = new File(['x'], 'Interview.wav', { type: 'audio/wav' });
const picture = new File(['x'], 'image.png', { type: 'image/png' });

test('imports pasted files, also if the file manager adds their names as text', () => {
  expect(isTaken(['Files'], [sound])).toBe(true);
  expect(isTaken(['text/plain', 'Files'], [sound])).toBe(true);
});

test('does not import text, the picture that an office program adds to it, or anything pasted into a field', () => {
  expect(isTaken(['text/plain'], [])).toBe(false);
  expect(isTaken(['text/plain', 'text/html', 'Files'], [picture])).toBe(false);
  expect(isTaken(['text/plain', 'Files'], [picture], true)).toBe(false);
  expect(isTaken(['Files'], [sound], true)).toBe(false);
});

const file = (name: string, type = '') => new File(['x'], name, { type });
const chosen = (names: readonly string[], isFolder: boolean) => {
  const { files, leftOut } = chosenFrom(
    names.map((name) => file(name)),
    isFolder,
  );
  return { files: files.map(({ name }) => name), leftOut };
};

test('tries every file that was chosen individually, whatever its name', () => {
  const names = ['.mp3', '.hidden', 'notes.txt', 'no ending', 'x.unknown'];
  expect(chosen(names, false)).toEqual({ files: names, leftOut: [] });
});

test('tries every file of a folder that may contain sound, and names the others', () => {
  const sounds = [
    'a.3gpp',
    'a.awb',
    'a.mpga',
    'a.w64',
    'a.bwf',
    'a.dss',
    'a.ds2',
    'a.mxf',
    'a.vob',
    'a.mod',
    'a.f4a',
    'a.eac3',
    'a.qcp',
    'a.sph',
    'A.WAV',
    '.mp3',
    'Interview',
    'call.20240517',
    'x.unknown',
  ];
  const others = ['cover.jpg', 'notes.txt', 'list.csv', 'words.srt', 'Protokoll.docx', 'Thumbs.db'];
  expect(chosen([...sounds, ...others, '.DS_Store', '._a.wav', '.hidden'], true)).toEqual({
    files: sounds,
    leftOut: others,
  });
});

type Entry = {
  name: string;
  isFile: boolean;
  isDirectory: boolean;
  file?: (resolve: (file: File) => void, reject: (error: unknown) => void) => void;
  createReader?: () => unknown;
};

const fileEntry = (name: string, isOpen = true): Entry => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (resolve, reject) => {
    if (isOpen) resolve(file(name));
    else reject(new DOMException('', 'NotReadableError'));
  },
});
function folderEntry(name: string, entries: readonly Entry[], isOpen = true): Entry {
  const portions = [entries, []];
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => ({
      readEntries: (resolve: (read: readonly Entry[]) => void, reject: (error: unknown) => void) => {
        if (isOpen) resolve(portions.shift() ?? []);
        else reject(new DOMException('', 'NotReadableError'));
      },
    }),
  };
}
const dropOf = (items: readonly { entry: Entry | null; file: File | null }[]): DataTransfer =>
  Object.assign(Object.create(null), {
    items: items.map(({ entry, file: dropped }) => ({
      webkitGetAsEntry: () => entry,
      getAsFile: () => dropped,
    })),
  });

test('names what cannot be opened in a dropped folder, and imports the rest', async () => {
  const inner = folderEntry('locked', [], false);
  const { files, leftOut, unopened } = await filesOf(
    dropOf([
      {
        entry: folderEntry('tapes', [
          fileEntry('b.wav'),
          fileEntry('a.wav', false),
          inner,
          fileEntry('cover.jpg'),
        ]),
        file: null,
      },
    ]),
  );
  expect([files.map(({ name }) => name), leftOut, unopened]).toEqual([
    ['b.wav'],
    ['cover.jpg'],
    ['a.wav', 'locked'],
  ]);
});

test('imports a file without an entry that is dropped together with a folder', async () => {
  const dropped = await filesOf(
    dropOf([
      { entry: null, file: file('mail.mp3') },
      { entry: folderEntry('tapes', [fileEntry('a.wav')]), file: null },
      { entry: fileEntry('.hidden'), file: file('.hidden') },
    ]),
  );
  expect(dropped.files.map(({ name }) => name)).toEqual(['mail.mp3', '.hidden', 'a.wav']);
});
