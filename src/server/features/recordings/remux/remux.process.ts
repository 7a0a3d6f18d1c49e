import { insideProcess } from './inside-process.ts';
import { repack, type RepackOptions } from './repack.ts';

await insideProcess((file, options: RepackOptions, output) => repack(file, options, output));
