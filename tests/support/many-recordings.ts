import { changeDatabase } from '#tests/e2e/steps.ts';

/** The title of the recording at a position in the list, which is sorted newest first. */
export const titleAt = (place: number): string => `Meeting ${String(place).padStart(5, '0')}`;

/**
 * Inserts ready recordings of the only user into the database, one an hour, newest first. Every tenth is in
 * German, every fourth imported, and their lengths go from one minute to a hundred. They have no audio.
 */
export function insertRecordings(dataDir: string, count: number): void {
  changeDatabase(
    dataDir,
    `
    WITH RECURSIVE place(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM place WHERE i + 1 < ${count})
    INSERT INTO recordings (id, owner_id, title, title_folded, language, started_at, time_zone, duration_ms, state, container, codec, sample_rate_hz, channels,
      size_bytes, stored_bytes, sha256, source, device_label, peaks_points, overview, gaps, pauses, people, finished_at, created_at, updated_at)
    SELECT printf('00000000-0000-4000-8000-%012d', i), (SELECT id FROM users LIMIT 1), printf('Meeting %05d', i), printf('meeting %05d', i),
      CASE WHEN i % 10 = 0 THEN 'de' END, 1700000000000 - i * 3600000, 'Europe/Berlin', 60000 * (1 + i % 100), 'ready', 'ogg', 'opus', 48000, 1,
      1000 + i, 1000 + i, NULL, CASE WHEN i % 4 = 0 THEN 'import' ELSE 'microphone' END, NULL, 0,
      'ECAwQFBgcFBAMCAQIDBAUGBwUEAwIBAgMEBQYHBQQDAgECAwQFBgcFBAMCAQIDBAUGBwUEAwIBAgMEBQYHBQQDAg', '[]', '[]', '[]', 1700000000000, 1700000000000, 1700000000000
    FROM place`,
  );
}
