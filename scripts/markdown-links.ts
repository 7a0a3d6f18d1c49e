import { dirname, join } from 'node:path';
import { fileExists, filesUnder, named, readSource } from './source-files.ts';

/** Links and images: `[text](target)`. Code contains no links. */
const link = /\]\((?<target>[^()\s]+)\)/g;

const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
const withoutCode = (markdown: string): string => withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, '');

/** Returns the targets of a page's relative links. */
export const relativeLinksIn = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(link)]
    .map(({ groups }) => groups?.['target'] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));

/** Returns the repository files and folders that a page names as code, without patterns and examples. */
export const namedPathsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/`(?<path>(?:src|tests|scripts|bench|docs)\/[^`\s*<>{}…]*)`/g)].map(
    ({ groups }) => groups?.['path'] ?? '',
  );

/**
 * Returns the anchors of a page's headings, as GitHub generates them: lower case, hyphens for spaces, no
 * punctuation. A repeated heading gets a number.
 */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)) {
    const anchor = title
      .replaceAll(/\[(?<text>[^\]]*)\]\([^)]*\)/g, '$<text>')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Explains why a relative link of a page is broken; null for a valid link. */
export function brokenLink(
  { file, target }: { file: string; target: string },
  { exists, read }: { exists: (path: string) => boolean; read: (path: string) => string },
): string | null {
  const [path = '', anchor] = target.split('#');
  const linked = path === '' ? file : join(dirname(file), path);
  if (!exists(linked)) return `${file}: ${target} does not exist`;
  if (anchor === undefined || !linked.endsWith('.md')) return null;
  return anchorsIn(read(linked)).has(anchor) ? null : `${file}: ${target} has no such heading`;
}

if (import.meta.main) {
  const files = { exists: fileExists, read: readSource };
  const broken = named(filesUnder('*.md')).flatMap((file) => [
    ...relativeLinksIn(readSource(file)).flatMap((target) => brokenLink({ file, target }, files) ?? []),
    ...namedPathsIn(readSource(file))
      .filter((path) => !fileExists(path))
      .map((path) => `${file}: ${path} does not exist`),
  ]);
  for (const finding of broken) console.error(finding);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
