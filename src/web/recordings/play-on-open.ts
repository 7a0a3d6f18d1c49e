import { navigate } from 'wouter/use-browser-location';

const key = 'plays';

/** The history entry of a link called “Play”: the page that it opens plays the recording. */
export const playOnOpen = { [key]: true } as const;

/** Opens the page of a recording and plays it. */
export function openAndPlay(recordingId: string): void {
  navigate(`/recordings/${recordingId}`, { state: playOnOpen });
}

/** Whether this page was opened to play. True once, so that a reload or a way back plays nothing. */
export function takePlayOnOpen(): boolean {
  const { state }: { state: unknown } = history;
  const isOpened = typeof state === 'object' && state !== null && key in state;
  if (isOpened) history.replaceState(null, '');
  return isOpened;
}
