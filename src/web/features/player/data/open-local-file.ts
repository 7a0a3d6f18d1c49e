import { limits } from '#contract/limits.ts';
import type { TrackSections } from '#web/features/player/engine/playback-state.ts';

/** Where the bytes of takes on this device are read. */
export interface LocalTakeFiles {
  /** The sound as one file on one timeline, and whether silence stands for some of it. */
  audio(takeId: string): Promise<{ audio: Blob; isPartlySilent: boolean }>;
  /**
   * The same in sections, each `limits.audioSectionMs` long; null where it is short enough to be played
   * whole.
   */
  sections(takeId: string): Promise<Blob[] | null>;
  /** min, max, min, max… a hundred points a second. */
  peaks(takeId: string): Promise<Int8Array>;
}

/** The sound of a take on this device, with URLs that an audio element can play. */
export interface OpenedFile {
  audio: Blob;
  isPartlySilent: boolean;
  url: string;
  sections: TrackSections | null;
  /** Revokes the URLs. */
  release: () => void;
}

/** Opens the sound of a take on this device. Rejects where its bytes can't be read. */
export async function openLocalFile(files: LocalTakeFiles, takeId: string): Promise<OpenedFile> {
  const [{ audio, isPartlySilent }, sections] = await Promise.all([
    files.audio(takeId),
    files.sections(takeId),
  ]);
  const url = URL.createObjectURL(audio);
  const sectionUrls = sections?.map((section) => URL.createObjectURL(section)) ?? null;
  return {
    audio,
    isPartlySilent,
    url,
    sections: sectionUrls && {
      eachMs: limits.audioSectionMs,
      urlOf: (section) => sectionUrls[section] ?? url,
    },
    release: () => {
      for (const each of [url, ...(sectionUrls ?? [])]) URL.revokeObjectURL(each);
    },
  };
}
