import { insideThread } from './inside-thread.ts';
import { repack, type RepackWish } from './repack.ts';

await insideThread((file, wish: RepackWish, output) => repack(file, wish, output));
