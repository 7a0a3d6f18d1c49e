import { basename } from 'node:path';
import ts from 'typescript';
import { filesUnder, isTypeScript, named, readSource } from './source-files.ts';

/** Words that files and identifiers no longer use, with the terms that replaced them. */
export const retiredWords: Readonly<Record<string, string>> = {
  anew: 'again',
  begin: 'start',
  begins: 'starts',
  begun: 'started',
  beholder: 'viewer',
  ears: 'handlers',
  footing: 'source',
  homeless: 'unowned, without storage',
  kept: 'stored, retained',
  patience: 'retry policy',
  person: 'user',
  persons: 'users',
  refusal: 'rejection',
  refusals: 'rejections',
  refuse: 'reject',
  refused: 'rejected',
  refuses: 'rejects',
  room: 'space',
  surrounding: 'deps',
  surroundings: 'deps',
  untold: 'pending change',
  wish: 'options',
  wishes: 'options',
};

/** Words that no name of several words starts with, with the field's own word: `maxRows`, not `mostRows`. */
const retiredFirstWords: Readonly<Record<string, string>> = {
  fewest: 'min',
  least: 'min',
  longest: 'max',
  most: 'max',
  shortest: 'min',
  usual: 'default, or typical',
};

/** Phrases that comments, tests and documents no longer use, with what an English speaker would say. */
const retiredPhrases: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\bas (?:often as )?wanted\b/gi, instead: 'any number of times' },
  { pattern: /\bat present\b/gi, instead: 'now, currently' },
  { pattern: /\b(?:go|goes|going) on\b/gi, instead: 'continue' },
  { pattern: /\bin vain\b/gi, instead: 'uselessly, or what failed' },
  { pattern: /\b(?:is|are) away\b/gi, instead: 'is unavailable' },
  { pattern: /\bwhoever\b/gi, instead: 'anyone who' },
];
/** Files that quote the phrases, or that are never edited. */
const quoting: ReadonlySet<string> = new Set([
  'docs/decisions/0059-languages.md',
  'scripts/catalogue/english-words.ts',
  'scripts/catalogue/english-words.test.ts',
  'scripts/retired-words.test.ts',
  'src/server/storage/database/migrations/0077-one-backup-at-a-time.ts',
]);

/** Names that a library defines. */
const foreignNames: ReadonlySet<string> = new Set(['beginPath', 'beginTransaction']);
/** Names of the public API that stay until a release accepts the old and the new one. */
const publishedNames: ReadonlySet<string> = new Set([
  'longestDays',
  // The browser or the user refuses these, not the server.
  'passkey-refused',
  'storage-refused',
]);
/** Names that are allowed in one file, because they mean the word literally. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // A migration is never edited.
  'src/server/storage/database/migrations/0023-believable-labels.ts': ['kept'],
  // Results of a test of a provider, which programs read.
  'src/contract/providers-api.ts': ['refused'],
  // A kind of search result: a person who speaks in the recording.
  'src/contract/recordings.ts': ['person'],
  // The states of a recording in an account import, which programs read.
  'src/contract/restores-api.ts': ['begun'],
  // Stored with the imports on devices.
  'src/workers/import/messages.ts': ['kept'],
  // A kind of search result: a person who speaks in the recording.
  'src/web/features/library/list/hit-line.tsx': ['person'],
};

/** Splits a name in camel, Pascal or kebab case into lower-case words. */
export const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

/** Files whose string literals are names: the API, messages of workers, and tables. */
const hasNamesAsLiterals = (file: string): boolean =>
  !file.includes('.test.') &&
  (file.startsWith('src/contract/') || /(?:messages|schema|-tables)\.ts$/.test(file));

const isNameLike = /^[a-z][a-zA-Z\d]*(?:[-._][a-z][a-zA-Z\d]*)*$/;

/** Whether a node is the value of an `id` in a page. */
const isIdOfElement = (node: ts.Node): boolean =>
  ts.isJsxAttribute(node.parent) && ts.isIdentifier(node.parent.name) && node.parent.name.text === 'id';

/** Returns the identifiers of a source file, the ids of its elements, and literals that are names. */
export function namesInSource(file: string, text: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.add(node.text);
    else if (
      ts.isStringLiteralLike(node) &&
      isNameLike.test(node.text) &&
      (hasNamesAsLiterals(file) || isIdOfElement(node))
    )
      names.add(node.text);
    ts.forEachChild(node, visit);
  };
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile('x', text, ts.ScriptTarget.Latest, true, kind));
  return names;
}

const retiredWordsOf = (name: string): string[] => {
  const words = wordsOfName(name);
  const [first = '', ...rest] = words;
  return [
    ...words.flatMap((word) =>
      Object.hasOwn(retiredWords, word) ? [`not "${word}" but ${retiredWords[word]}`] : [],
    ),
    ...(rest.length > 0 && Object.hasOwn(retiredFirstWords, first)
      ? [`not "${first}" but ${retiredFirstWords[first]}`]
      : []),
  ];
};

/** Returns the retired words in these names, as "name: use …". */
export const retiredIn = (names: Iterable<string>): string[] =>
  [...names]
    .filter((name) => !foreignNames.has(name) && !publishedNames.has(name))
    .flatMap((name) => retiredWordsOf(name).map((finding) => `${name}: ${finding}`));

/** Returns the retired phrases in a text, as 'not "phrase" but …'. */
export const retiredPhrasesIn = (text: string): string[] =>
  retiredPhrases.flatMap(({ pattern, instead }) =>
    (text.match(pattern) ?? []).map((found) => `not "${found}" but ${instead}`),
  );

function namesIn(file: string): string[] {
  const names = isTypeScript(file) ? namesInSource(file, readSource(file)) : new Set<string>();
  const allowed = new Set(exceptions[file]);
  return retiredIn([basename(file), ...names.difference(allowed)]);
}

const findingsOf = (files: readonly string[], findingsIn: (file: string) => string[]): string[] =>
  files
    .filter((file) => file !== 'scripts/retired-words.ts')
    .flatMap((file) => findingsIn(file).map((finding) => `${file}: ${finding}`));

if (import.meta.main) {
  const findings = [
    ...findingsOf(named(filesUnder('src', 'tests', 'scripts', 'bench')), namesIn),
    ...findingsOf(
      named(filesUnder('*.ts', '*.tsx', '*.mjs', '*.css', '*.yaml', '*.md', ':!locales')).filter(
        (file) => !quoting.has(file),
      ),
      (file) => retiredPhrasesIn(readSource(file)),
    ),
  ];
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
