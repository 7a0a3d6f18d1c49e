import type { Generated } from 'kysely';

/** The tables of what people keep their recordings in order with, and of what search reads. */
export interface LibrarySchema {
  tags: TagRow & TextWords;
  recording_tags: RecordingTagRow;
  saved_views: SavedViewRow;
  favourites: FavouriteRow;
  recording_words: RecordingWordsRow;
  stale_words: StaleWordsRow;
  text_usage: TextUsageRow;
}

/** The search words of the text in the same row. */
export interface TextWords {
  /** Each once, with a space before, between and behind them. */
  words: Generated<string>;
  /** Of the rules by which they were made; 0 where they are not made yet. */
  words_version: Generated<number>;
}

/** A recording that is found by old words, with the number of changes since they were joined. */
interface StaleWordsRow {
  recording_id: string;
  changes: number;
}

/** Bytes of all notes and marker labels of a user. Triggers keep it. */
interface TextUsageRow {
  user_id: string;
  text_bytes: number;
}

export interface TagRow {
  id: string;
  owner_id: string;
  name: string;
  /** `foldForSearch(name)`, unique among the tags of one owner. */
  name_folded: string;
  colour: string;
  created_at: number;
}

interface RecordingTagRow {
  recording_id: string;
  tag_id: string;
}

export interface SavedViewRow {
  id: string;
  owner_id: string;
  name: string;
  query: string;
  created_at: number;
}

/** A recording that a person has starred. */
interface FavouriteRow {
  user_id: string;
  recording_id: string;
}

/** What a recording is found by. The full-text index of either database follows this table by itself. */
interface RecordingWordsRow {
  recording_id: string;
  /** Search words, each once, with a space before, between and behind them; the first one names the owner. */
  words: string;
  /** Of the rules by which the words were made; 0 where they are to be made again. */
  version: number;
}
