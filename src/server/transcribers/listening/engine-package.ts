import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Has the engine's code, which loads the binary of the package for this platform. */
const enginePackage = 'sherpa-onnx-node';

/** Names the package with the engine's binary for this platform. */
const binaryPackage = (): string =>
  `sherpa-onnx-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const isResolved = (name: string): boolean => {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
};

/** Whether the optional packages of the engine are installed for this platform. */
export const isEngineInstalled = (): boolean => isResolved(enginePackage) && isResolved(binaryPackage());
