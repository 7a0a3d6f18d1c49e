import type { SectionMaker } from './figures.ts';
import { moveBench } from './move-bench.ts';
import { jobsBench } from './jobs-bench.ts';
import { libraryBench } from './library-bench.ts';
import { listBench } from './list-bench.ts';
import { waveformBench } from './waveform-bench.ts';

/** The benches for many recordings and for long ones. */
export const libraryBenches: Record<string, SectionMaker> = {
  library: libraryBench,
  list: listBench,
  waveform: waveformBench,
  jobs: jobsBench,
  move: moveBench,
};
