import type { Recording } from '#contract/recordings.ts';

/** Whether an imported file is stored in which no sound was found: it can be downloaded, not played. */
export const isUnheard = ({
  source,
  state,
  rendition,
}: Pick<Recording, 'source' | 'state' | 'rendition'>): boolean =>
  source === 'import' && state === 'failed' && rendition === 'failed';
