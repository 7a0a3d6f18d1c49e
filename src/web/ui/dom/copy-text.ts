/** Copies a text. Resolves to whether it is on the clipboard: pages without HTTPS have none, and browsers may deny it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await globalThis.navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
