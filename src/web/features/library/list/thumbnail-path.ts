/** Size of a thumbnail and width of one bar. */
export const thumbnail = { widthPx: 168, heightPx: 30, stepPx: 4 } as const;

const loudest = 127;
const minPx = 1;

/** Decodes an overview (base64, one loudness value 0–127 per byte); invalid base64 gives an empty one. */
export function decodeOverview(overview: string): Uint8Array {
  try {
    return Uint8Array.from(atob(overview), (character) => Math.min(loudest, character.charCodeAt(0)));
  } catch {
    return new Uint8Array();
  }
}

/** An SVG path of vertical bars, each the loudest of its values. Fewer values are stretched to the full width. */
export function thumbnailPath(values: Uint8Array): string {
  const bars = thumbnail.widthPx / thumbnail.stepPx;
  const middle = thumbnail.heightPx / 2;
  const reach = middle - 2;
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * values.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * values.length) / bars));
    const loudness = Math.max(0, ...values.subarray(from, to)) / loudest;
    const half = Math.max(minPx, loudness * reach);
    const round = (y: number) => Math.round(y * 10) / 10;
    return `M${bar * thumbnail.stepPx + thumbnail.stepPx / 2} ${round(middle - half)}V${round(middle + half)}`;
  }).join('');
}
