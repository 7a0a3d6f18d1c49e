import { insideProcess } from '#server/features/recordings/remux/inside-process.ts';
import type { ProbeWork } from './probe-import.ts';
import { measureFile, probeImportedFile } from './probe-file.ts';

await insideProcess(async (file, options: ProbeWork) =>
  options === 'probe'
    ? probeImportedFile(file)
    : measureFile(file, { readsPackets: options === 'measure-packets' }),
);
