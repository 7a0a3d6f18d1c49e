import { userScope } from '#web/api/user-scope.ts';
import type { SharedSpan } from '#web/features/sharing/terms/share-form.ts';

/** A recording that is to be shared. */
export interface ShareTarget {
  recordingId: string;
  title: string;
  /** The length; null while it grows or is not known. */
  durationMs: number | null;
  /** Whether the recording is being made; null if that is not known. */
  isGrowing: boolean | null;
  /** The part to share; null for the whole recording. */
  span: SharedSpan | null;
}

export interface OpenSheet extends ShareTarget {
  /** The link to show; null for the list of links. */
  shareId: string | null;
  /** The password that was just set, which the server does not return. */
  password: string | null;
}

/** The open sheet; null if it is closed. */
export const shareSheet = userScope.createStore<OpenSheet | null>(null);

/** Opens the sheet with the links of a recording. */
export function openShareSheet(
  target: ShareTarget,
  { shareId = null, password = null }: Partial<Pick<OpenSheet, 'shareId' | 'password'>> = {},
): void {
  shareSheet.set({ ...target, shareId, password });
}
