import { describe, expect, test, vi } from 'vitest';
import { startCopy } from './delayed-copy.ts';

/** A clipboard that takes whole items, as browsers do, and may deny it. */
class TestClipboard {
  text: string | null = null;
  readonly denies: { write?: boolean; writeText?: boolean };
  constructor(denies: { write?: boolean; writeText?: boolean } = {}) {
    this.denies = denies;
  }
  async write([item]: { items: Record<string, Promise<Blob>> }[]): Promise<void> {
    if (this.denies.write) throw new Error('denied');
    this.text = (await (await item?.items['text/plain'])?.text()) ?? null;
  }
  async writeText(text: string): Promise<void> {
    if (this.denies.writeText) throw new Error('denied');
    this.text = text;
  }
}
const stubItems = () =>
  vi.stubGlobal(
    'ClipboardItem',
    class {
      items: Record<string, Promise<Blob>>;
      constructor(items: Record<string, Promise<Blob>>) {
        this.items = items;
      }
    },
  );
const start = (clipboard: TestClipboard) => startCopy(clipboard as unknown as Clipboard);

describe('a delayed copy', () => {
  test('starts during the press and gets its text later', async () => {
    stubItems();
    const clipboard = new TestClipboard();
    const copy = start(clipboard);
    expect(await copy.put('https://earshot.example/s/x')).toBe(true);
    expect(clipboard.text).toBe('https://earshot.example/s/x');
  });

  test('falls back to copying plain text', async () => {
    stubItems();
    const clipboard = new TestClipboard({ write: true });
    expect(await start(clipboard).put('a')).toBe(true);
    expect(clipboard.text).toBe('a');
    vi.stubGlobal('ClipboardItem', undefined);
  });

  test('reports that nothing was copied', async () => {
    stubItems();
    expect(await start(new TestClipboard({ write: true, writeText: true })).put('a')).toBe(false);
    expect(await startCopy(undefined).put('a')).toBe(false);
  });

  test('leaves the clipboard as it is when it is cancelled', async () => {
    stubItems();
    const clipboard = new TestClipboard();
    start(clipboard).cancel();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(clipboard.text).toBeNull();
  });
});
