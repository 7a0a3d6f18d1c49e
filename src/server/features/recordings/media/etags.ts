import type { RecordingWithCounts } from '#server/features/recordings/recordings-store.ts';

/**
 * Makes the strong ETag (RFC 9110 §8.8.3) of a representation, including its quotes.
 * @param fingerprint differs between any two representations of one recording with different bytes
 */
export type EtagOf = (fingerprint: string) => string;

/** The ETags that the owner of a recording receives. They contain its id, so nobody else may receive them. */
export const etagsOfRecording =
  ({ id }: { id: string }): EtagOf =>
  (fingerprint) =>
    `"${id}-${fingerprint}"`;

/** A recording whose bytes are sent, and the ETags for their recipient. */
export interface ServedRecording {
  recording: RecordingWithCounts;
  etagOf: EtagOf;
}
