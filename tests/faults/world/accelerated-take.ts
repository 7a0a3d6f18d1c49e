import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#tests/support/api-client.ts';
import { signalFile } from './listen.ts';
import type { Trial } from './trial.ts';

function workerUrl(): string {
  const file = readdirSync(join(import.meta.dirname, '..', '..', '..', 'dist', 'web', 'assets')).find(
    (name) => name.startsWith('take.worker') && name.endsWith('.js'),
  );
  if (!file) throw new Error('the take worker is not built');
  return `/assets/${file}`;
}

async function registered({ client }: Trial): Promise<{ id: string; ownerId: string; upload: unknown }> {
  const id = newId();
  const session = (await client.json('GET', '/auth/session')) as { user: { id: string } };
  const reply = (await client.json('PUT', `/api/recordings/${id}`, {
    body: {
      title: 'Accelerated',
      startedAt: new Date(Date.now() - 24 * 3_600_000).toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    },
  })) as { upload: unknown };
  return { id, ownerId: session.user.id, upload: reply.upload };
}

/** Runs in the page: starts the built take worker and feeds it the coded signal as fast as it accepts it. */
async function openInPage({
  url,
  take,
}: {
  url: string;
  take: { id: string; ownerId: string; upload: unknown };
}): Promise<void> {
  const header = 44;
  const file = document.querySelector<HTMLInputElement>('#coded-signal')?.files?.[0];
  if (!file) throw new Error('no signal');
  const signal = new Int16Array(await file.slice(header).arrayBuffer());
  const worker = new Worker(url, { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  const state = { capturedMs: 0, serverMs: 0, fedMs: 0, hasReceipt: false, failed: '' };
  const started = Promise.withResolvers<void>();
  worker.addEventListener('message', ({ data }) => {
    if (data.type === 'progress') Object.assign(state, data.progress);
    if (data.type === 'started') started.resolve();
    if (data.type === 'receipt') state.hasReceipt = true;
    if (data.type === 'failed') state.failed = `${data.code} ${data.detail}`;
  });
  const format = { sampleRateHz: 48_000, channels: 1, deviceLabel: null };
  worker.postMessage(
    {
      type: 'start',
      source: { kind: 'pcm', pcm: port2, ...format },
      take: {
        id: take.id,
        title: 'Accelerated',
        startedAtMs: Date.now() - 24 * 3_600_000,
        timeZone: 'UTC',
        quality: 'speech',
        ownerId: take.ownerId,
        ...format,
      },
    },
    [port2],
  );
  worker.postMessage({ type: 'attach', ownerId: take.ownerId, upload: take.upload });
  await started.promise;
  const tick = () =>
    new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  const sendBlock = () => {
    const frame = (state.fedMs / 20) * 960;
    const block = new Float32Array(960);
    // The file has a third of the sample rate, so samples are interpolated in three steps.
    for (let i = 0; i < 960; i += 1) {
      const at = Math.floor((frame + i) / 3) % signal.length;
      const [low = 0, high = 0] = [signal[at], signal[(at + 1) % signal.length]];
      block[i] = (low + (high - low) * (((frame + i) % 3) / 3)) / 32_768;
    }
    port1.postMessage({ type: 'pcm', frame, channels: [block] }, [block.buffer]);
    state.fedMs += 20;
  };
  const feed = async (untilMs: number) => {
    // Waits until the server has the audio too: data in transit, a megabyte at a time, does not count as the
    // worker's memory.
    while (state.fedMs < untilMs || state.serverMs < untilMs - 2000) {
      if (state.failed) throw new Error(state.failed);
      for (
        let count = 0;
        count < 1000 && state.fedMs < untilMs && state.fedMs - state.capturedMs < 60_000;
        count += 1
      )
        sendBlock();
      await tick();
    }
  };
  const stop = async () => {
    worker.postMessage({ type: 'stop' });
    while (!state.hasReceipt) {
      if (state.failed) throw new Error(state.failed);
      await tick();
    }
  };
  Object.assign(globalThis, { accelerated: { feed, stop } });
}

/**
 * Lets the page read the signal from disk. As a response, its 19 MB would pass through the test as pieces of text.
 */
async function handSignal({ browser, page }: Trial): Promise<void> {
  const devtools = await browser.context.newCDPSession(page);
  const expression =
    "document.body.appendChild(Object.assign(document.createElement('input'), { id: 'coded-signal', type: 'file', hidden: true }))";
  const { result } = await devtools.send('Runtime.evaluate', { expression });
  await devtools.send('DOM.setFileInputFiles', {
    files: [signalFile()],
    ...(result.objectId === undefined ? {} : { objectId: result.objectId }),
  });
  await devtools.detach();
}

/** Runs the real take worker, journal and upload in the trial's browser, faster than real time. */
export async function accelerate(
  trial: Trial,
): Promise<{ feed(untilMs: number): Promise<void>; stop(): Promise<void> }> {
  const { page } = trial;
  await handSignal(trial);
  await page.evaluate(openInPage, { url: workerUrl(), take: await registered(trial) });
  const call = (name: 'feed' | 'stop', argument: number) =>
    page.evaluate(
      async ([method, value]) => {
        const take: unknown = Reflect.get(globalThis, 'accelerated');
        if (typeof take !== 'object' || take === null) throw new Error('no take');
        const work: unknown = Reflect.get(take, method);
        if (typeof work !== 'function') throw new Error(method);
        await work(value);
      },
      [name, argument] as const,
    );
  return { feed: (untilMs) => call('feed', Math.floor(untilMs / 20) * 20), stop: () => call('stop', 0) };
}
