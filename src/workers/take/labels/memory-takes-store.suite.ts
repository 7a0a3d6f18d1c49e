/** The device's store of takes in memory, by their ids. Tests put it in place of the real one with `vi.mock`. */
export const storedTakes = new Map<string, unknown>();

export async function changeTake(id: string, change: (take: unknown) => unknown): Promise<unknown> {
  storedTakes.set(id, change(storedTakes.get(id)));
  return storedTakes.get(id);
}

export async function getTake(id: string): Promise<unknown> {
  return storedTakes.get(id) ?? null;
}

export async function removeTake(id: string): Promise<void> {
  storedTakes.delete(id);
}
