import { isNoSpaceError } from './no-space.ts';
import { isUnavailableError } from './unavailable.ts';

/**
 * Whether a store is full or does not respond. That is not the fault of the work that met it, which can succeed later
 * and is repeated however long that takes.
 */
export const isStorageOutage = (error: unknown): boolean =>
  isNoSpaceError(error) || isUnavailableError(error);
