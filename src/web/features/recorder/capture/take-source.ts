import type { CaptureSource, RecorderReason } from '#workers/take/messages.ts';

/** The properties of a take that may change with an interruption. */
export interface TakeSource {
  deviceLabel: string | null;
  sourceKind: CaptureSource['kind'];
  /** Why the browser's own recorder is used; null if it is not. */
  recorderReason: RecorderReason | null;
  hasLevel: boolean;
}

/** The properties of a take that depend on its source. */
export const takeSourceOf = (source: CaptureSource): Omit<TakeSource, 'deviceLabel'> => ({
  sourceKind: source.kind,
  recorderReason: source.kind === 'media-recorder' ? source.reason : null,
  hasLevel: source.pcm !== null,
});
