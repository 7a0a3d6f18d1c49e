import { dirname } from 'node:path';
import ts from 'typescript';
import { filesUnder, isTypeScript, productFiles, readSource } from './source-files.ts';

interface Finding {
  place: string;
  rule: string;
}

const limits = {
  filesPerFolder: 25,
  folderDepth: 4,
  castsPerThousandLines: 2,
  suppressionsPerThousandLines: 0.2,
  lineLength: 120,
  longLinesPerThousand: 10,
  specificationWords: 7000,
  markdownWords: 100_000,
};

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Counts type assertions except `as const`, in the syntax tree, because comments contain "as" too. */
function countCasts(text: string): number {
  let casts = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && node.type.getText() !== 'const') casts += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return casts;
}

/** Component files and their stylesheet count as one. */
const countsAlone = (file: string): boolean =>
  /\.(ts|tsx|css|mjs)$/.test(file) && !file.endsWith('.module.css');

/** A numbered migration is never edited nor moved, so it does not count towards the limit of its folder. */
const isNumberedMigration = (file: string): boolean => /\/migrations\/\d{4}-[^/]+$/.test(file);

function shapeFindings(files: readonly string[]): Finding[] {
  const byFolder = Map.groupBy(files, (file) => dirname(file));
  return [...byFolder].flatMap(([place, inFolder]) => {
    const depth = place.split('/').length - 1;
    const crowd = inFolder.filter((file) => countsAlone(file) && !isNumberedMigration(file)).length;
    return [
      ...(crowd > limits.filesPerFolder && place !== 'src/contract'
        ? [{ place, rule: `${crowd} source files, at most ${limits.filesPerFolder}` }]
        : []),
      ...(depth > limits.folderDepth
        ? [{ place, rule: `${depth} folders deep, at most ${limits.folderDepth}` }]
        : []),
    ];
  });
}

function volumeFindings(files: readonly string[]): { findings: Finding[]; report: string } {
  const texts = files.map(readSource);
  const lines = texts.map((text) => text.split('\n').length).sort((a, b) => a - b);
  const total = lines.reduce((sum, n) => sum + n, 0);
  const casts = texts.reduce((sum, text) => sum + countCasts(text), 0);
  const suppressions = texts.reduce(
    (sum, text) => sum + count(text, /(eslint|oxlint|stylelint)-disable/g),
    0,
  );
  const effects = texts.reduce((sum, text) => sum + count(text, /\buseEffect\(/g), 0);
  const median = lines[Math.floor(lines.length / 2)] ?? 0;
  const perThousand = (n: number) => Math.round((n / total) * 10_000) / 10;
  const findings: Finding[] = [];
  if (perThousand(casts) > limits.castsPerThousandLines)
    findings.push({
      place: 'src',
      rule: `${perThousand(casts)} "as" casts per 1000 lines, at most ${limits.castsPerThousandLines}`,
    });
  if (perThousand(suppressions) > limits.suppressionsPerThousandLines)
    findings.push({ place: 'src', rule: `${perThousand(suppressions)} lint suppressions per 1000 lines` });
  const longLines = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.length > limits.lineLength).length;
  if (perThousand(longLines) > limits.longLinesPerThousand)
    findings.push({
      place: 'src',
      rule: `${perThousand(longLines)} of 1000 lines are longer than ${limits.lineLength} characters, at most ${limits.longLinesPerThousand}`,
    });
  return {
    findings,
    report: `${files.length} files, ${total} lines, median ${median}; per 1000 lines: casts ${perThousand(casts)}, suppressions ${perThousand(suppressions)}, long lines ${perThousand(longLines)}, useEffect ${perThousand(effects)}`,
  };
}

const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readSource(file).split('\n').length, 0);

/** The words of Markdown, and the lines that are not of the product's TypeScript. */
function documentFindings(): { findings: Finding[]; report: string } {
  const wordsOf = (file: string): number => count(readSource(file), /\S+/g);
  const words = filesUnder('*.md').reduce((sum, file) => sum + wordsOf(file), 0);
  const specification = 'docs/specification.md';
  const findings = [
    { place: 'Markdown', words, max: limits.markdownWords },
    { place: specification, words: wordsOf(specification), max: limits.specificationWords },
  ].flatMap(({ place, words: found, max }) =>
    found > max ? [{ place, rule: `${found} words, at most ${max}` }] : [],
  );
  const styles = linesOf(filesUnder('src/*.css'));
  const tools = linesOf(filesUnder('scripts/*.ts', 'scripts/*.mjs', 'bench/*.ts'));
  return {
    findings,
    report: `${words} words of Markdown, ${styles} lines of CSS, ${tools} lines of scripts and benchmarks`,
  };
}

/** Checks limits that no linter checks: files per folder, depth of folders, casts, suppressions, long lines, words of documents. */
function structureFindings(): { findings: Finding[]; report: string } {
  const files = productFiles();
  const volume = volumeFindings(files.filter(isTypeScript));
  const documents = documentFindings();
  return {
    findings: [...shapeFindings(files), ...volume.findings, ...documents.findings],
    report: `${volume.report}\n${documents.report}`,
  };
}

if (import.meta.main) {
  const { findings, report } = structureFindings();
  console.log(report);
  for (const finding of findings) console.error(`${finding.place}: ${finding.rule}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
