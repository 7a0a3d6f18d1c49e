/** Parses names separated by a comma of any script, a semicolon or a line break, without duplicates. */
export function parsePeople(text: string): string[] {
  const names = text
    .split(/[,;،؛、，；\n]/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set(names)];
}
