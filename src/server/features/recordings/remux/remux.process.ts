import { insideProcess } from '#server/features/recordings/file-process/inside-process.ts';
import { repack, type RepackWish } from './repack.ts';

await insideProcess((file, wish: RepackWish, output) => repack(file, wish, output));
