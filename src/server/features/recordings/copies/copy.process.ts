import { insideProcess } from '#server/features/recordings/file-process/inside-process.ts';
import { copyTrack, type CopyWish } from './copy-track.ts';

await insideProcess((file, wish: CopyWish, output) => copyTrack(file, wish, output.audio));
