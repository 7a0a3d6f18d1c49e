/** The tables of taking away. */
export interface ExportsSchema {
  export_tickets: ExportTicketRow;
  account_exports: AccountExportRow;
  account_export_entries: AccountExportEntryRow;
  upload_checksums: UploadChecksumRow;
}

interface ExportTicketRow {
  /** SHA-256 of the ticket, hexadecimal; used up by deleting the row. */
  ticket_hash: string;
  owner_id: string;
  /** JSON array of recordings' ids. */
  recording_ids: string;
  expires_at: number;
}

export interface AccountExportRow {
  id: string;
  owner_id: string;
  state: 'preparing' | 'ready' | 'failed';
  /** Of the whole ZIP file; 0 until it is ready. */
  size_bytes: number;
  entry_count: number;
  /** Where the central directory begins. */
  directory_offset: number;
  directory_size: number;
  recording_count: number;
  left_out: number;
  created_at: number;
  expires_at: number;
}

/**
 * One file in an account's ZIP, with all that its headers say: so every byte of the ZIP can be made again.
 */
export interface AccountExportEntryRow {
  export_id: string;
  position: number;
  path: string;
  size_bytes: number;
  crc32: number;
  /** Where its local header begins. */
  offset_bytes: number;
  /** Where its record lies in the central directory, from the beginning of that. */
  directory_bytes: number;
  /** What is in it: the bytes of an upload, else `content`. */
  upload_id: string | null;
  blob_key: string | null;
  content: string | null;
}

/** CRC-32 of sealed uploads, computed when one is first asked for. */
interface UploadChecksumRow {
  upload_id: string;
  crc32: number;
}
