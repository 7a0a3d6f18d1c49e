import { insideThread } from '../remux/inside-thread.ts';
import { measureFile, probeFile } from './probe-file.ts';

await insideThread(async (file, wish: 'probe' | 'measure') => (wish === 'probe' ? probeFile(file) : measureFile(file)));
