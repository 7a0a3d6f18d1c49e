import type { SpeechModel } from '#server/transcribers/transcriber.ts';
import { parakeetLanguages, whisperLanguages } from './model-languages.ts';

export type ModelName = 'whisper-small' | 'parakeet-v3' | 'whisper-base';

export type FileRole = keyof SpeechModel['files'];

export interface KnownFile {
  role: FileRole;
  /** Its path in the repository. */
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** A speech model that Earshot can download. The commit and the hashes make its bytes the same for everyone. */
export interface KnownModel {
  name: ModelName;
  title: string;
  kind: SpeechModel['kind'];
  repository: string;
  commit: string;
  licence: string;
  /** The primary subtags of the languages that it knows. */
  languages: readonly string[];
  /** The limit of memory of a process that uses the model. */
  memoryBytes: number;
  /** Whether its decoder gives times of words only after `patchAttention`. */
  needsAttentionPatch: boolean;
  files: readonly KnownFile[];
}

const gibibyte = 1024 ** 3;

/** Whisper's tokens are the same for all multilingual sizes. */
const whisperTokens = {
  role: 'tokens',
  sizeBytes: 816_730,
  sha256: 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126',
} as const;

/** In the order of the settings page. */
export const knownModels: readonly KnownModel[] = [
  {
    name: 'whisper-small',
    title: 'Whisper small',
    kind: 'whisper',
    repository: 'clairemcw/sherpa-onnx-whisper-small-attention',
    commit: '9a896a02c311676d366ebfda3797753df4153fe2',
    licence: 'MIT',
    languages: whisperLanguages,
    memoryBytes: 2.5 * gibibyte,
    needsAttentionPatch: false,
    files: [
      {
        role: 'encoder',
        path: 'small-encoder.int8.onnx',
        sizeBytes: 112_445_386,
        sha256: '570e2b92cce6a8be62dc37934057b82dd601298ecb3a2a25161542e2b59862aa',
      },
      {
        role: 'decoder',
        path: 'small-decoder.int8.onnx',
        sizeBytes: 262_482_583,
        sha256: '63233cc33d6c11ae514467a69132de87cc61e6b28d3dab40cdf8b0e3060a3439',
      },
      { ...whisperTokens, path: 'small-tokens.txt' },
    ],
  },
  {
    name: 'parakeet-v3',
    title: 'Parakeet v3',
    kind: 'transducer',
    repository: 'csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
    commit: '2bda32ec70b097a55adaa07d9a7173915b43cc78',
    licence: 'CC BY 4.0',
    languages: parakeetLanguages,
    memoryBytes: 4 * gibibyte,
    needsAttentionPatch: false,
    files: [
      {
        role: 'encoder',
        path: 'encoder.int8.onnx',
        sizeBytes: 652_184_281,
        sha256: 'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
      },
      {
        role: 'decoder',
        path: 'decoder.int8.onnx',
        sizeBytes: 11_845_275,
        sha256: '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e',
      },
      {
        role: 'joiner',
        path: 'joiner.int8.onnx',
        sizeBytes: 6_355_277,
        sha256: '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3',
      },
      {
        role: 'tokens',
        path: 'tokens.txt',
        sizeBytes: 93_939,
        sha256: 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d',
      },
    ],
  },
  {
    name: 'whisper-base',
    title: 'Whisper base',
    kind: 'whisper',
    repository: 'csukuangfj/sherpa-onnx-whisper-base',
    commit: 'bb53ee204431c90d314c1cc08d28d23e5b7927cc',
    licence: 'MIT',
    languages: whisperLanguages,
    memoryBytes: 1.5 * gibibyte,
    needsAttentionPatch: true,
    files: [
      {
        role: 'encoder',
        path: 'base-encoder.int8.onnx',
        sizeBytes: 29_120_534,
        sha256: '0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11',
      },
      {
        role: 'decoder',
        path: 'base-decoder.int8.onnx',
        sizeBytes: 130_672_026,
        sha256: '9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d',
      },
      { ...whisperTokens, path: 'base-tokens.txt' },
    ],
  },
];

export const modelBytes = ({ files }: Pick<KnownModel, 'files'>): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** The address of a file. `modelsUrl` is `https://huggingface.co` or a mirror of it. */
export const fileUrlOf = (
  { repository, commit }: Pick<KnownModel, 'repository' | 'commit'>,
  { path }: Pick<KnownFile, 'path'>,
  modelsUrl: string,
): string => `${modelsUrl.replace(/\/+$/, '')}/${repository}/resolve/${commit}/${path}`;

/** A key names the content, so that models with the same file share it. */
export const blobKeyOfFile = ({ sha256 }: Pick<KnownFile, 'sha256'>): string => `models/${sha256}`;
