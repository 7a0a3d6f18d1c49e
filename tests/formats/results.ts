/**
 * Seconds by which what is heard is ahead of what the element says, near the start and after a seek; null
 * where nothing was heard.
 */
export interface Heard {
  atStart: number | null;
  afterSeek: number | null;
}

export type Played =
  | { ok: false; why: string }
  | ({ ok: true; durationSeconds: number; laterSeconds: number } & Heard);

/**
 * What mediabunny reads in a file; `peaks` of hundredths of a second (0–1) as the import draws them, or null
 * where it leaves that to the server.
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
 * What became of a file in the app: who drew its peaks first, whether something else than the file is played,
 * how long it is and how it is drawn; or why not.
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
