/** The tables of links, as `Schema` has the others. */
export interface ShareTables {
  shares: ShareRow;
  share_people: ShareUserRow;
  share_access_requests: ShareAccessRequestRow;
  share_visits: ShareVisitRow;
  share_days: ShareDayRow;
  ended_links: EndedLinkRow;
  share_renditions: ShareRenditionRow;
  share_m4a: ShareM4aRow;
}

/** A link that opens a recording, or a part of it, to others. */
export interface ShareRow {
  id: string;
  owner_id: string;
  recording_id: string;
  /** SHA-256 of the token in the link, hexadecimal. */
  token_hash: string;
  /** The token, encrypted, so that its owner can copy the link again. */
  token_box: string;
  audience: 'anyone' | 'installation' | 'named';
  /** Null: the recording's title. */
  title: string | null;
  message: string;
  from_ms: number;
  /** Null: to the end of the recording. */
  to_ms: number | null;
  /** JSON of `ShareShows`. */
  shows: string;
  download: 'off' | 'audio' | 'formats' | 'original';
  expires_at: number | null;
  /** When `expires_at` was last set: a limit of the installation counts from then. */
  expiry_set_at: number;
  max_listens: number | null;
  /** Null: nothing is played while the recording is being made. */
  live_delay_ms: number | null;
  is_held_after_stop: number;
  /** Up to where listeners may have listened under earlier settings, while it was recorded; null if nowhere. */
  live_sent_until_ms: number | null;
  /** When the owner opened a link that was held after Stop; null before. */
  released_at: number | null;
  /** JSON: `"any"` or a list of origins. Null: no page may embed it. */
  embed: string | null;
  preview: 'none' | 'text' | 'sound';
  recipient_label: string;
  /** PHC string; null without a password. */
  password_hash: string | null;
  /** Increases with every change of the password: visits of an older one end. */
  password_version: number;
  /** Wrong passwords since `wrong_passwords_since`, for at most a day. */
  wrong_passwords: number;
  wrong_passwords_since: number;
  /** Set after too many wrong passwords, until the owner sets another one. */
  password_locked_at: number | null;
  open_count: number;
  listen_count: number;
  last_listened_at: number | null;
  created_at: number;
  updated_at: number;
  revision: number;
  /** When it was revoked, for good; null before. */
  ended_at: number | null;
  /** When a restore of its recording from the trash left it off; null if its owner turned it on, or before. */
  off_at: number | null;
}

/** A user for whom a link is. */
export interface ShareUserRow {
  share_id: string;
  /** As typed by the owner. */
  email: string;
  email_key: string;
  /** The account with that address when the link was made; null if there was none. */
  user_id: string | null;
}

/** A user who asked to listen to a link that is for others. */
interface ShareAccessRequestRow {
  share_id: string;
  user_id: string;
  created_at: number;
  /** When the owner declined it; null while it waits. Allowing it deletes it. */
  declined_at: number | null;
}

/** A browser that gave a link's password, or started one of its counted listens. */
export interface ShareVisitRow {
  /** SHA-256 of the cookie. */
  visit_hash: string;
  share_id: string;
  password_version: number;
  /** When it started its listen; null before. */
  listened_at: number | null;
  expires_at: number;
}

interface ShareDayRow {
  share_id: string;
  /** The day in UTC, `2026-11-21`. */
  day: string;
  open_count: number;
  listen_count: number;
  whole_listen_count: number;
}

/** A token whose link no longer exists, so that its bearer learns that it has ended. */
export interface EndedLinkRow {
  token_hash: string;
  reason: 'expired' | 'revoked' | 'used-up' | 'unavailable';
  expires_at: number;
}

/** The audio-only rendition that links of an import play. */
export interface ShareRenditionRow {
  recording_id: string;
  state: 'waiting' | 'ready' | 'failed';
  /** `finished_at` of the recording: a judgement of the file again may change what is played. */
  made_from: number;
  size_bytes: number;
}

/** What a link plays in browsers that do not play Ogg/Opus. */
export interface ShareM4aRow {
  share_id: string;
  state: 'waiting' | 'ready' | 'failed';
  /** Of the window that it was made from. */
  fingerprint: string;
  size_bytes: number;
}
