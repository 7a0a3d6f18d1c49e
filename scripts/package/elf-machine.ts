import { open } from 'node:fs/promises';
import type { Architecture } from './platform-packages.ts';

/** `e_machine` of the ELF header: EM_X86_64 and EM_AARCH64. */
const machines = new Map<number, Architecture>([
  [62, 'x64'],
  [183, 'arm64'],
]);
const machineOffset = 18;

/** The processor that a file's code is for; `other` if it is none that packages are made for; null for a file without machine code. */
export async function elfMachine(path: string): Promise<Architecture | 'other' | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(machineOffset + 2), { position: 0 });
    if (bytesRead < buffer.length || buffer.toString('latin1', 0, 4) !== '\x7FELF') return null;
    return machines.get(buffer.readUInt16LE(machineOffset)) ?? 'other';
  } finally {
    await file.close();
  }
}
