/**
 * Removes acts as long as the rest still fails, the longest runs first.
 * @param isOver whether the time is up; what was found until then is returned
 */
export async function shrink(
  acts: readonly string[],
  fails: (acts: readonly string[]) => Promise<boolean>,
  isOver: () => boolean = () => false,
): Promise<string[]> {
  let shortest = [...acts];
  for (let size = Math.floor(shortest.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = shortest.length - size; from >= 0 && !isOver();) {
      const rest = [...shortest.slice(0, from), ...shortest.slice(from + size)];
      if (rest.length > 0 && (await fails(rest))) shortest = rest;
      from = Math.min(from, shortest.length) - size;
    }
  }
  return shortest;
}
