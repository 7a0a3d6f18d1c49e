import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { lazyChunk } from './lazy-chunk.tsx';

const Greeting = ({ name }: { name: string }) => <p>{name}</p>;

test('a chunk is loaded once, also by concurrent calls', async () => {
  const load = vi.fn<() => Promise<{ Greeting: typeof Greeting }>>(async () => ({ Greeting }));
  const chunk = lazyChunk(load);
  chunk.preload();
  expect(await chunk.load()).toBe(await chunk.load());
  expect(load).toHaveBeenCalledTimes(1);
});

test('a chunk that failed to load is loaded again by the next call', async () => {
  const load = vi
    .fn<() => Promise<{ Greeting: typeof Greeting }>>(async () => ({ Greeting }))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const chunk = lazyChunk(load);
  await expect(chunk.load()).rejects.toThrow('Failed to fetch');
  await expect(chunk.load()).resolves.toEqual({ Greeting });
});

test('a component renders without suspending once its chunk has loaded', async () => {
  const chunk = lazyChunk(async () => ({ Greeting }));
  const LazyGreeting = chunk.component((module) => module.Greeting);
  await chunk.load();
  expect(renderToString(<LazyGreeting name="Ada" />)).toBe('<p>Ada</p>');
});
