import type { SharedRecording } from './shares.ts';

/** Messages of the listening page's script, in the page's language. Braces are replaced by the script. */
export interface ListeningTexts {
  play: string;
  pause: string;
  /** Of the position: `{position}` and `{length}`. */
  place: string;
  loading: string;
  failed: string;
  /** Shown while the server does not respond. Playback resumes by itself. */
  reconnecting: string;
  /** While M4A is made. */
  preparing: string;
  unplayable: string;
  /** A live recording that can be played once it is complete. */
  unplayableLive: string;
  liveEnded: string;
  /** While a live recording is muted for listeners, and in a passage of a finished one. */
  offRecord: string;
  offRecordPassage: string;
  wrongPassword: string;
  tooManyTries: string;
  passwordLocked: string;
  cookieRejected: string;
}

/** What the listening page and the embedded player hand to their script, as JSON in `data-listening`. */
export interface ListeningPage {
  /** `/s/<token>`: the audio, the peaks and all other calls are below it. */
  linkPath: string;
  /** Null on the listening page. The embedded player writes nothing, and sends messages to the page around it. */
  embed: {
    /** The origins whose pages may control the player; null: any page. */
    origins: readonly string[] | null;
  } | null;
  /** The length of the sections in which long Ogg is played (decision 0063). */
  sectionMs: number;
  /** Markers and gaps are read from their lists on the page, by `data-from-ms` and `data-length-ms`. */
  recording: Pick<SharedRecording, 'state' | 'title' | 'durationMs' | 'isCounted' | 'hasM4a' | 'isOffRecord'>;
  texts: ListeningTexts;
}

/** Whether the page of a recording has a player; in every other state the page is a notice. */
export const isPlayable = ({ state }: Pick<SharedRecording, 'state'>): boolean =>
  state === 'live' || state === 'complete';

/** The attribute with the JSON of a `ListeningPage`. */
export const listeningPageAttribute = 'data-listening';

/** The HTML attribute by which the script finds the parts of the page. */
export const pagePartAttribute = 'data-part';

/** Names of the parts of the page that the script controls. */
export type PagePart =
  | 'player'
  | 'audio'
  | 'wave'
  | 'canvas'
  | 'position'
  | 'length'
  | 'play'
  | 'back'
  | 'forward'
  | 'speed'
  | 'live'
  | 'go-live'
  | 'status'
  | 'retry'
  | 'off-record'
  | 'unlock'
  | 'markers'
  | 'notes'
  | 'more'
  | 'announcement';
