import { call } from '#web/api/call.ts';

/** A recording, and the user whose session sends its change. The session of another one would not know it. */
interface OwnRecording {
  recordingId: string;
  owner: string | null;
}

/** Sends the title of a recording that this device has. */
export const sendTitle = (
  { recordingId, owner }: OwnRecording,
  title: string,
  signal?: AbortSignal,
): Promise<unknown> =>
  call('changeRecording', { params: { recordingId }, body: { title }, signal, hold: { owner } });

/** Where a recording is to be. `undone`: its move to the trash never happened, so its links work as before. */
export type Whereabouts = 'trashed' | 'restored' | 'undone';

/** Sends whether a recording that this device has is in the trash. */
export function sendWhereabouts(
  { recordingId, owner }: OwnRecording,
  whereabouts: Whereabouts,
): Promise<unknown> {
  const about = { params: { recordingId }, hold: { owner } };
  if (whereabouts === 'trashed') return call('trashRecording', about);
  return call('restoreRecording', {
    ...about,
    query: { isUndo: whereabouts === 'undone' ? 'true' : 'false' },
  });
}
