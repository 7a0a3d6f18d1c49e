import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { channelNamesOf } from './channel-names.ts';
import { flacFacts } from './flac-facts.ts';
import { mp3Facts } from './mp3-facts.ts';
import { mp4Facts } from './mp4-facts.ts';
import { oggFacts } from './ogg-facts.ts';
import type { StatedFacts } from './stated-facts.ts';
import { wavFacts } from './wav-layout.ts';
import { webmFacts } from './webm-facts.ts';

type FactsOf = (file: PieceFile) => Promise<StatedFacts>;

const factsOf: Partial<Record<string, FactsOf>> = {
  wav: wavFacts,
  flac: flacFacts,
  webm: webmFacts,
  mp4: mp4Facts,
  mp3: mp3Facts,
  ogg: oggFacts,
};

/**
 * Reads the facts that a file states, from its head and its tail, for containers that browsers play. Rejects if
 * the file cannot be read.
 */
export async function readStatedFacts(
  container: string,
  { sizeBytes, read }: PieceFile,
): Promise<StatedFacts> {
  const within = (at: number): number => Math.min(sizeBytes, Math.max(0, at));
  const file: PieceFile = {
    sizeBytes,
    read: (startByte, endByteExclusive) => read(within(startByte), within(endByteExclusive)),
  };
  const facts = (await factsOf[container]?.(file)) ?? { obstacles: [], lengthsMs: [] };
  return container === 'wav' ? { ...facts, channelNames: await channelNamesOf(file) } : facts;
}
