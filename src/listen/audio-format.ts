import type { SharedRecording } from '#contract/shares.ts';

export type AudioFormat = 'ogg' | 'm4a';

const mediaTypes: Record<AudioFormat, string> = {
  ogg: 'audio/ogg; codecs=opus',
  m4a: 'audio/mp4; codecs=mp4a.40.2',
};

/**
 * The formats of a link that a browser says it can play, best first; empty if none.
 * @param canPlayType of an audio element; an empty answer means no
 */
export function playableFormats(
  canPlayType: (mediaType: string) => string,
  { hasM4a, state }: Pick<SharedRecording, 'hasM4a' | 'state'>,
): AudioFormat[] {
  const offered: AudioFormat[] = hasM4a && state === 'complete' ? ['ogg', 'm4a'] : ['ogg'];
  return offered.filter((format) => canPlayType(mediaTypes[format]) !== '');
}
