import type { RecordingPage } from '#contract/recordings.ts';

/** A page of a list without one recording. */
export const withoutRecording = (page: RecordingPage, id: string): RecordingPage => ({ ...page, items: page.items.filter((item) => item.id !== id) });

/** A page of a list with one recording's new title. */
export const withTitle = (page: RecordingPage, id: string, title: string): RecordingPage => ({
  ...page, items: page.items.map((item) => (item.id === id ? { ...item, title } : item)),
});
