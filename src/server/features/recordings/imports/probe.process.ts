import { insideProcess } from '#server/features/recordings/file-process/inside-process.ts';
import { measureFile, probeFile } from './probe-file.ts';

await insideProcess(async (file, wish: 'probe' | 'measure') =>
  wish === 'probe' ? probeFile(file) : measureFile(file),
);
