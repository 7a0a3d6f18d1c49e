/** Reads names from one line: between them a comma of any script, or a semicolon; each once. */
export function parsePeople(text: string): string[] {
  const names = text
    .split(/[,;،؛、，；\n]/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set(names)];
}
