import { codeOf } from '#base/errors/code-of.ts';
import { isCausedBy } from '#base/errors/caused-by.ts';
import { lostStoreOf } from '#base/errors/lost-store.ts';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { ConfigError } from '#server/config.ts';
import { StartError } from '#server/start-error.ts';

/** As in sysexits.h. `deploy/earshot.service` restarts a server that ends with any but `configuration`. */
export const exitCodes = {
  /** A fault of the program. */
  failure: 1,
  /** What the server needs is not there yet. It may come without anyone's doing: start again. */
  temporary: 75,
  /** Only the operator can mend it: starting again changes nothing. */
  configuration: 78,
} as const;

/** The server before this one may still be stopping. */
const isAddressInUse = (error: Error): boolean => codeOf(error) === 'EADDRINUSE';

const isTemporary = (error: unknown): boolean => {
  const lost = lostStoreOf(error);
  return (
    lost === 'database' ||
    lost === 'object-store' ||
    isNoSpaceError(error) ||
    isCausedBy(error, (cause) => isAddressInUse(cause) || (cause instanceof StartError && cause.isTemporary))
  );
};

/** Returns the exit code of a server that does not start because of this error. */
export function exitCodeOf(error: unknown): number {
  if (isTemporary(error)) return exitCodes.temporary;
  return error instanceof ConfigError || error instanceof StartError
    ? exitCodes.configuration
    : exitCodes.failure;
}
