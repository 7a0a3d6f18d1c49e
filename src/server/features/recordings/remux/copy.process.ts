import { insideProcess } from './inside-process.ts';
import { copyTrack, type CopyOptions } from './copy-track.ts';

await insideProcess((file, options: CopyOptions, output) => copyTrack(file, options, output.audio));
