const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Writes a size for a terminal, in decimal units. */
export function sizeText(sizeBytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, sizeBytes)) / 3));
  return `${(sizeBytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}
