/** Limits a chain of causes that contains itself. */
const maxCauses = 8;

/** Whether an error or one of its causes matches. */
export function isCausedBy(error: unknown, isMeant: (error: Error) => boolean): boolean {
  for (
    let [cause, depth] = [error, 0];
    cause instanceof Error && depth <= maxCauses;
    [cause, depth] = [cause.cause, depth + 1]
  ) {
    if (isMeant(cause)) return true;
  }
  return false;
}
