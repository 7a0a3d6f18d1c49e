import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { recordedWhen } from './recorded-when.ts';
import { recorderTime } from './recorder-time.ts';
import { type RawTags, taggedTime } from './tag-date.ts';
import { timeInName } from './time-in-name.ts';

/** When a file was recorded, from its name, its tags and its container; unknown if none of them states it. */
export async function timeOfFile(
  file: PieceFile,
  { name, rawTags = {}, nowMs }: { name: string; rawTags?: RawTags | undefined; nowMs: number },
): Promise<RecordedTime> {
  return recordedWhen(
    { tag: taggedTime(rawTags), name: timeInName(name), recorder: await recorderTime(file) },
    nowMs,
  );
}
