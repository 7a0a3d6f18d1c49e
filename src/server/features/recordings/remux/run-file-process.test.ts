import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { FileProcessError, runFileProcess } from './run-file-process.ts';

const hasPrlimit = existsSync('/usr/bin/prlimit');
const insideProcess = JSON.stringify(new URL('inside-process.ts', import.meta.url).href);
const limits = { wallMs: minute, cpuMs: minute };

/** Runs a body that uses `file`, `options` and `output` in a process over a file of eight bytes. */
async function run(
  body: string,
  {
    signal = new AbortController().signal,
    ...other
  }: { signal?: AbortSignal; limits?: typeof limits; read?: () => Promise<Uint8Array> } = {},
): Promise<unknown> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-process-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const script = join(directory, 'body.mjs');
  await writeFile(
    script,
    `import { insideProcess } from ${insideProcess};\nawait insideProcess(async (file, options, output) => { ${body} });\n`,
  );
  const file = {
    sizeBytes: 8,
    read:
      other.read ??
      (async (from: number, to: number) => Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7).subarray(from, to)),
  };
  const nothing = async (): Promise<void> => undefined;
  return runFileProcess(
    pathToFileURL(script),
    { file, options: { name: 'options' }, output: { audio: nothing, peaks: nothing } },
    { signal, limits: other.limits ?? limits },
  );
}

test('a process reads the file, receives its options, and returns a result', async () => {
  expect(
    await run('return { options, bytes: [...await file.read(2, 5)], behind: [...await file.read(6, 99)] };'),
  ).toEqual({ options: { name: 'options' }, bytes: [2, 3, 4], behind: [6, 7] });
});

test('a process has no environment variables of the server', async () => {
  process.env['EARSHOT_TEST_SECRET'] = 'hidden';
  onTestFinished(() => {
    delete process.env['EARSHOT_TEST_SECRET'];
  });
  expect(
    await run('return Object.keys(process.env).filter((name) => !name.startsWith("NODE_CHANNEL"));'),
  ).toEqual([]);
});

test.for([
  ['throws', 'throw new Error("no such box");', /no such box/],
  ['exits', 'process.exit(3);', /ended with 3/],
  [
    'is ended',
    'process.kill(process.pid, "SIGSEGV"); await new Promise(() => setInterval(() => undefined, 1000));',
    /SIGSEGV/,
  ],
  [
    'fills its heap',
    'const held = []; for (;;) held.push(new Array(4e6).fill(0.5));',
    /ended with|heap|memory/i,
  ],
  [
    'allocates an array beyond every limit',
    'return new Uint8Array(2 ** 53 - 1);',
    /Invalid typed array length|allocation failed/,
  ],
  ['requests an invalid range', 'return file.read(-5, 2 ** 60);', /invalid range/],
] satisfies [string, string, RegExp][])(
  'one that %s rejects with an error, and this process survives',
  async ([, body, message]) => {
    const broken = await run(body).catch((error: unknown) => error);
    expect(broken).toBeInstanceOf(FileProcessError);
    expect(String(broken)).toMatch(message);
  },
);

test.skipIf(!hasPrlimit)('one that allocates memory outside its heap fails', async () => {
  expect(
    String(
      await run('const held = []; for (;;) held.push(new Uint8Array(64 * 1024 * 1024).fill(1));').catch(
        (error: unknown) => error,
      ),
    ),
  ).toMatch(/allocation failed|ended with/i);
});

test.skipIf(!hasPrlimit)('one in an endless loop is ended by the CPU time limit', async () => {
  await expect(run('for (;;);', { limits: { wallMs: minute, cpuMs: second } })).rejects.toThrow(
    /SIGXCPU|SIGKILL/,
  );
});

test('one that waits for ever is ended by the wall-clock limit', async () => {
  await expect(
    run('await new Promise(() => setInterval(() => undefined, 1000));', {
      limits: { wallMs: second, cpuMs: minute },
    }),
  ).rejects.toThrow('took longer than 1000 ms');
});

test('a file that cannot be read rejects with the store’s own error', async () => {
  await expect(
    run('return file.read(0, 8);', { read: () => Promise.reject(new Error('EIO')) }),
  ).rejects.toThrow('EIO');
});
