/**
 * The seconds by which the audio is ahead of the element's position, near the start and after a seek; null without
 * audio.
 */
export interface Heard {
  atStart: number | null;
  afterSeek: number | null;
}

export type Played =
  | { ok: false; why: string }
  | ({ ok: true; durationSeconds: number; laterSeconds: number } & Heard);

/**
 * What mediabunny reads from a file. `peaks` has points of hundredths of a second (0–1) as the import draws them,
 * or is null if the server has to compute them.
 */
export type ReadFile =
  | { ok: false; why: string }
  | {
      ok: true;
      container: string;
      codec: string | null;
      sampleRateHz: number;
      channels: number;
      durationSeconds: number;
      peaks: number[] | null;
    };

/**
 * The app's result for a file: where its peaks were computed first, whether a converted file is played, its length
 * and waveform; or the reason why it was not imported.
 */
export type Imported =
  | {
      by: 'browser' | 'server';
      rendition: string;
      mediaType: string;
      durationSeconds: number;
      peaks: number[];
    }
  | { by: null; why: string };
