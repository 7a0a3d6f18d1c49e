import { insideProcess } from '../file-process/inside-process.ts';
import { measureFile, probeFile } from './probe-file.ts';

await insideProcess(async (file, wish: 'probe' | 'measure') => (wish === 'probe' ? probeFile(file) : measureFile(file)));
