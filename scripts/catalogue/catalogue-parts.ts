import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runInNewContext } from 'node:vm';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { parsePo, type PoItem } from 'pofile-ts';
import type { Plugin } from 'vite';

const laterParts = ['accounts', 'recorder', 'library', 'player', 'sharing', 'rest'] as const;
type LaterPart = (typeof laterParts)[number];
type Part = 'first' | LaterPart;

const root = join(import.meta.dirname, '..', '..');
const entry = 'src/web/app/main.tsx';
/** In a later part, nearly every page would wait for the few messages of the design system. */
const alsoFirst = /^src\/web\/ui\//;
const filesOfPart: readonly (readonly [LaterPart, RegExp])[] = [
  ['accounts', /^src\/web\/(features\/accounts\/|app\/use-account-|app\/pages\/account-)/],
  ['recorder', /^src\/web\/features\/recorder\//],
  ['library', /^src\/web\/features\/(library|imports|trash)\//],
  ['player', /^src\/web\/features\/player\//],
  ['sharing', /^src\/web\/features\/sharing\/(?!signs\/)/],
];
const partOfCatalogue = new RegExp(`/locales/([\\w-]+)\\.po\\?(first|${laterParts.join('|')})\\?lingui$`);
const staticImport = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?\s*'([^']+)'/gm;
const jsonOfMessages = /JSON\.parse\(("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\)/;

/**
 * Returns the path, relative to the root, of a source file that an import names; null for packages and other
 * files.
 */
function fileOf(specifier: string, importer: string): string | null {
  const path = specifier.startsWith('#')
    ? join('src', specifier.slice(1))
    : join(dirname(importer), specifier);
  return /^[.#]/.test(specifier) && /\.tsx?$/.test(path) && existsSync(join(root, path)) ? path : null;
}

const filesWith = new Map<string, ReadonlySet<string>>();

/** Returns a file and everything it imports, directly or indirectly. */
function withImports(start: string): ReadonlySet<string> {
  const known = filesWith.get(start);
  if (known) return known;
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(staticImport)) {
      const imported = fileOf(specifier, file);
      if (imported) visit(imported);
    }
  };
  visit(start);
  filesWith.set(start, found);
  return found;
}

/** Returns a function that finds the part of the catalogue with a file's messages. */
function partsOfFiles(): (file: string) => Part {
  // The files that the page loads before it shows anything.
  const first = withImports(entry);
  return (file) => {
    if (first.has(file) || alsoFirst.test(file)) return 'first';
    return filesOfPart.find(([, files]) => files.test(file))?.[0] ?? 'rest';
  };
}

/**
 * Returns the parts that contain a message: only the first one if the first screen uses it, and none if only the
 * server does.
 */
function partsOfMessage({ references }: PoItem, partOf: (file: string) => Part): Part[] {
  const parts = new Set(references.filter((file) => file.startsWith('src/web/')).map(partOf));
  return parts.has('first') ? ['first'] : [...parts];
}

/**
 * Returns the name of React Aria's dictionary for a language: the one of its most common region, else any; null if
 * there is none.
 */
function ariaNameOf(tag: string): string | null {
  const names = readdirSync(join(root, 'node_modules', 'react-aria-components', 'i18n')).flatMap(
    (file) => /^([a-z]+-[A-Z]+)\.mjs$/.exec(file)?.[1] ?? [],
  );
  const { language, region = '' } = new Intl.Locale(tag).maximize();
  return (
    names.find((name) => name === `${language}-${region}`) ??
    names.find((name) => name.startsWith(`${language}-`)) ??
    null
  );
}

/**
 * Adds the loaders of a language's other parts to its first part, so that the app's first file names each language
 * once.
 */
function withTheRest(code: string, tag: string): string {
  const aria = ariaNameOf(tag);
  const parts = laterParts.map((name) => `${name}: () => import('./${tag}.po?${name}?lingui')`);
  return `${code}\nexport const parts = { ${parts.join(', ')} };\nexport const loadAria = ${aria ? `() => import('react-aria-components/i18n/${aria}')` : 'null'};\n`;
}

function onlyMessages(code: string, ids: ReadonlySet<string>): string {
  const text = jsonOfMessages.exec(code)?.[1];
  if (text === undefined) throw new TypeError('a compiled catalogue is not the JSON it was');
  const messages = Object.entries(JSON.parse(String(runInNewContext(text))) as Record<string, unknown>);
  const retained = JSON.stringify(JSON.stringify(Object.fromEntries(messages.filter(([id]) => ids.has(id)))));
  return code.replace(jsonOfMessages, () => `JSON.parse(${retained})`);
}

/** Returns the message ids of each part, and the later part with the messages of each file. */
function readParts() {
  const { items } = parsePo(readFileSync(join(root, 'locales', 'en.po'), 'utf8'));
  const partOf = partsOfFiles();
  const idsOf = (part: Part) =>
    new Set(
      items
        .filter((item) => partsOfMessage(item, partOf).includes(part))
        .map(({ msgid, msgctxt }) => generateMessageId(msgid, msgctxt ?? '')),
    );
  const laterMessages = items
    .flatMap(({ references }) => references)
    .map((file): [string, Part] => [file, partOf(file)])
    .filter(([, part]) => part !== 'first');
  const ids = new Map<string, ReadonlySet<string>>(
    (['first', ...laterParts] as const).map((part) => [part, idsOf(part)]),
  );
  // If a folder was renamed, its pattern matches nothing and its messages would move to the rest.
  for (const [part, { size }] of ids)
    if (size === 0) throw new Error(`scripts/catalogue/catalogue-parts.ts: no message is in "${part}"`);
  return { ids, laterMessages: new Map(laterMessages) };
}

const fetched = /\bimport\(\s*(["'])([^"']+)\1\s*\)/g;

/**
 * Makes every `import()` wait for the messages of the chunk it loads, which load in parallel. A top-level `await`
 * in the loaded files would do the same, but when two modules import a file at once, WebKit runs one of them
 * before the file has finished waiting.
 */
function withMessages(code: string, file: string, laterMessages: ReadonlyMap<string, Part>): string | null {
  const waiting = code.replace(fetched, (call: string, _quote: string, specifier: string) => {
    const target = fileOf(specifier, file);
    const parts = new Set(
      [...(target ? withImports(target) : [])].flatMap((each) => laterMessages.get(each) ?? []),
    );
    return parts.size === 0 ? call : `chunkAndMessages(${call}, ${JSON.stringify([...parts])})`;
  });
  return waiting === code
    ? null
    : `import { chunkAndMessages } from '#web/i18n/load-messages.ts';\n${waiting}`;
}

const { ids, laterMessages } = readParts();

/**
 * Divides each catalogue into the parts that src/web/i18n/catalogues.ts names, so that the first screen loads only
 * the messages it uses. In a build, every later chunk loads its messages too. Tests have no chunks, so there each
 * part is the whole catalogue.
 */
export function catalogueParts(): Plugin {
  let isDivided = false;
  return {
    name: 'catalogue-parts',
    enforce: 'post',
    configResolved: ({ command }) => {
      isDivided = command === 'build';
    },
    transform(code, id) {
      const [, tag = '', part] = partOfCatalogue.exec(id) ?? [];
      const idsOfPart = ids.get(part ?? '');
      if (idsOfPart) {
        const divided = isDivided ? onlyMessages(code, idsOfPart) : code;
        return { code: part === 'first' ? withTheRest(divided, tag) : divided, map: null };
      }
      const file = relative(root, id);
      const waiting =
        isDivided && file.startsWith('src/web/') ? withMessages(code, file, laterMessages) : null;
      return waiting === null ? null : { code: waiting, map: null };
    },
  };
}
