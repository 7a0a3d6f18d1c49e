import type { ShownModel } from './use-speech-models.ts';

type Models = readonly Pick<ShownModel, 'name' | 'files' | 'storedBytes'>[];

/** Where a file belongs. */
export interface FilePlace {
  modelName: string;
  fileName: string;
}

/** How much speaks for a model: other chosen files, then what is stored. */
const weightOf = (
  { files, storedBytes }: Models[number],
  chosen: readonly { size: number }[],
): readonly [chosenCount: number, storedBytes: number] => [
  files.filter(({ sizeBytes }) => chosen.some(({ size }) => size === sizeBytes)).length,
  storedBytes,
];

/**
 * Finds the place of each chosen file by its length, because files are renamed. Models share some files: such a file
 * goes to the model that more of the other files belong to. The server compares the content.
 */
export function matchFiles<Chosen extends { size: number }>(
  chosen: readonly Chosen[],
  models: Models,
): { file: Chosen; place: FilePlace | null }[] {
  const best = models.toSorted((a, b) => {
    const [[countA, storedA], [countB, storedB]] = [weightOf(a, chosen), weightOf(b, chosen)];
    return countB - countA || storedB - storedA;
  });
  return chosen.map((file) => {
    for (const { name, files } of best) {
      const known = files.find(({ sizeBytes }) => sizeBytes === file.size);
      if (known !== undefined) return { file, place: { modelName: name, fileName: known.name } };
    }
    return { file, place: null };
  });
}
