import { expect, onTestFinished, test } from 'vitest';
import { bareEnvironment, findProgram, limitedCommand } from './limited-command.ts';

test('finds a program only in absolute folders of the search path', () => {
  expect(findProgram('sh', 'bin:./bin:/nowhere:/bin')).toBe('/bin/sh');
  expect(findProgram('sh', 'bin:/nowhere')).toBeNull();
});

test.skipIf(findProgram('prlimit', '/usr/bin:/bin') === null)(
  'a command runs under limits of memory, processor time and files',
  () => {
    const { program, args } = limitedCommand('/bin/sh', ['-c', 'true'], { memoryBytes: 1000, cpuMs: 1500 });
    expect(program).toMatch(/\/prlimit$/);
    expect(args).toEqual(['--data=1000', '--cpu=2:7', '--fsize=0', '--core=0', '/bin/sh', '-c', 'true']);
  },
);

test('passes on none of this process’s secrets', () => {
  process.env['SECRET_KEY'] = 'hidden';
  onTestFinished(() => {
    delete process.env['SECRET_KEY'];
  });
  expect(
    Object.keys(bareEnvironment()).filter((name) => name !== 'PATH' && name !== 'LD_LIBRARY_PATH'),
  ).toEqual([]);
});
