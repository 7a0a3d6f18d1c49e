import { limits } from '#contract/limits.ts';

/** Reads names from one line: between them a comma of any script, or a semicolon; each once, as many as a recording may have. */
export function parsePeople(text: string): string[] {
  const names = text.split(/[,;،؛、，；\n]/u).map((name) => name.trim()).filter((name) => name !== '');
  return [...new Set(names)].slice(0, limits.peoplePerRecording);
}
