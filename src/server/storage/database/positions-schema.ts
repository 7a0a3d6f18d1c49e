/** The table of where people stopped listening. */
export interface PositionsSchema {
  playback_positions: PlaybackPositionRow;
}

export interface PlaybackPositionRow {
  recording_id: string;
  user_id: string;
  position_ms: number;
  /** By the clock of the device that played, never later than the server's. */
  heard_at: number;
  /** The page that wrote it. */
  player_id: string;
}
