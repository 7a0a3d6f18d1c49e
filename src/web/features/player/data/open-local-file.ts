import { limits } from '#contract/limits.ts';
import type { TrackSections } from '#playback/playback-state.ts';

/** Reads the files of takes on this device. */
export interface LocalTakeFiles {
  /**
   * The audio as one file on one timeline, whether some of it is replaced by silence, and for how long the microphone
   * delivered silence; null if nothing measured that.
   */
  audio(
    takeId: string,
  ): Promise<{ audio: Blob; isPartlySilent: boolean; microphoneSilenceMs: number | null }>;
  /**
   * The audio in sections of `limits.audioSectionMs` each; null if the take is short enough to play as one file.
   */
  sections(takeId: string): Promise<Blob[] | null>;
  /** Pairs of minimum and maximum (int8), a hundred pairs per second. */
  peaks(takeId: string): Promise<Int8Array>;
}

/** The audio of a take on this device, with object URLs for an audio element. */
export interface OpenedFile {
  audio: Blob;
  isPartlySilent: boolean;
  microphoneSilenceMs: number | null;
  url: string;
  sections: TrackSections | null;
  /** Revokes the object URLs. */
  release: () => void;
}

/** Opens the audio of a take on this device. Rejects if its files can't be read. */
export async function openLocalFile(files: LocalTakeFiles, takeId: string): Promise<OpenedFile> {
  const [{ audio, isPartlySilent, microphoneSilenceMs }, sections] = await Promise.all([
    files.audio(takeId),
    files.sections(takeId),
  ]);
  const url = URL.createObjectURL(audio);
  const sectionUrls = sections?.map((section) => URL.createObjectURL(section)) ?? null;
  return {
    audio,
    isPartlySilent,
    microphoneSilenceMs,
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
