/** A chain of causes that leads back to itself has an end, too. */
const mostCauses = 8;

/** Whether an error, or one of what caused it, is meant. */
export function isCausedBy(error: unknown, isMeant: (error: Error) => boolean): boolean {
  for (
    let [cause, depth] = [error, 0];
    cause instanceof Error && depth <= mostCauses;
    [cause, depth] = [cause.cause, depth + 1]
  ) {
    if (isMeant(cause)) return true;
  }
  return false;
}
