/** What a browser's own recorder writes: the type to ask it for, and what the file is called then. */
export interface RecorderFormat {
  mimeType: string;
  container: 'ogg' | 'webm' | 'mp4';
}

/**
 * Opus first, since only Opus needs no decoding on the server; plain MP4 is what older Safari writes, with
 * AAC in it.
 */
const formats: readonly RecorderFormat[] = [
  { mimeType: 'audio/webm;codecs=opus', container: 'webm' },
  { mimeType: 'audio/ogg;codecs=opus', container: 'ogg' },
  { mimeType: 'audio/mp4;codecs=opus', container: 'mp4' },
  { mimeType: 'audio/mp4', container: 'mp4' },
];

/** The best format that a recorder has; null where it has none of them, or there is no recorder at all. */
export function chooseRecorderFormat(
  isSupported: ((mimeType: string) => boolean) | undefined,
): RecorderFormat | null {
  if (isSupported === undefined) return null;
  return formats.find(({ mimeType }) => isSupported(mimeType)) ?? null;
}
