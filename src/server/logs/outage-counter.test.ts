import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minute } from '#base/duration.ts';
import { createLogger } from './logger.ts';
import { outageFields } from './outage-counter.ts';

const lost = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A logger, and the lines that it wrote. */
function loggerUnderTest() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  return { lines, logger };
}

test('logs an outage once, whatever failed, then the count each minute, and its end', () => {
  const { lines, logger } = loggerUnderTest();
  logger.warn(outageFields(lost(), 'sessions'), 'the sessions cannot be read');
  const request = logger.child({ requestId: 'a' });
  for (let times = 0; times < 500; times += 1) request.warn(outageFields(lost(), 'requests'), 'failed');
  expect(lines).toMatchObject([
    { msg: 'the sessions cannot be read', outage: 'database', err: expect.anything() },
  ]);
  vi.advanceTimersByTime(minute);
  expect(lines.slice(1)).toMatchObject([{ outage: 'database', failures: 501, msg: 'an outage continues' }]);
  expect(lines[1]).not.toHaveProperty('requestId');
  vi.advanceTimersByTime(5 * minute);
  expect(lines.slice(2)).toMatchObject([{ outage: 'database', failures: 501, msg: 'an outage has ended' }]);
  logger.warn(outageFields(lost(), 'links'), 'the links cannot be read');
  expect(lines.slice(3)).toMatchObject([{ msg: 'the links cannot be read' }]);
});

test('counts each store, and failures with another cause, apart', () => {
  const { lines, logger } = loggerUnderTest();
  const objectStore = Object.assign(new Error('away'), { store: 'object-store' });
  for (const error of [lost(), objectStore, new Error('no such column'), lost()])
    logger.error(outageFields(error, 'job table'), 'failed');
  expect(lines.map(({ outage }) => outage)).toEqual(['database', 'object-store', 'job table']);
});

test('logs every other line', () => {
  const { lines, logger } = loggerUnderTest();
  for (let times = 0; times < 3; times += 1) logger.warn({ err: lost() }, 'an e-mail cannot be sent');
  expect(lines).toHaveLength(3);
});
