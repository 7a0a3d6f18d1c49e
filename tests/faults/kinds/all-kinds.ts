import { acceleratedKinds } from './accelerated.ts';
import { cutFileKinds } from './cut-files.ts';
import { microphoneAndMachineKinds } from './microphone-and-machine.ts';
import { networkAndServerKinds } from './network-and-server.ts';
import { otherEngineKinds } from './other-engines.ts';
import type { FaultKind } from './outcome.ts';
import { powerCutKinds } from './power-cut.ts';
import { stopAndCrashKinds } from './stop-and-crash.ts';

/** Every kind of fault in this suite, sorted by number. */
export const allKinds: FaultKind[] = [
  ...stopAndCrashKinds,
  ...powerCutKinds,
  ...networkAndServerKinds,
  ...microphoneAndMachineKinds,
  ...acceleratedKinds,
  ...cutFileKinds,
  ...otherEngineKinds,
].toSorted((a, b) => a.number - b.number);
