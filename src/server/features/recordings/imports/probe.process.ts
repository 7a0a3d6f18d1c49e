import { insideProcess } from '#server/features/recordings/remux/inside-process.ts';
import { measureFile, probeImportedFile } from './probe-file.ts';

await insideProcess(async (file, options: 'probe' | 'measure') =>
  options === 'probe' ? probeImportedFile(file) : measureFile(file),
);
