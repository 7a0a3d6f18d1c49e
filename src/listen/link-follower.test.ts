import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LinkFollower } from './link-follower.ts';

/** An event stream whose connection the test drives. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static last: FakeSource | null = null;
  readonly url: string;
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.last = this;
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
}

beforeEach(() => {
  vi.stubGlobal('EventSource', FakeSource);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function followed() {
  const calls: string[] = [];
  const follower = new LinkFollower({
    linkPath: '/s/x',
    onChange: () => calls.push('change'),
    onPoll: () => calls.push('poll'),
    onGrowth: ({ durationMs, isOffRecord }) => calls.push(`growth ${durationMs} ${isOffRecord}`),
  });
  follower.open();
  const emit = (event: Event) => FakeSource.last?.dispatchEvent(event);
  return { follower, calls, emit };
}

test('reads the link once the stream is open, for what changed since the page was rendered', () => {
  const { calls, emit } = followed();
  expect([FakeSource.last?.url, calls]).toEqual(['/s/x/events', []]);
  emit(new Event('open'));
  expect(calls).toEqual(['poll']);
});

test('takes the link for changed after every lost connection', () => {
  const { calls, emit } = followed();
  emit(new Event('open'));
  emit(new Event('error'));
  expect(calls).toEqual(['poll']);
  emit(new Event('open'));
  emit(new Event('open'));
  expect(calls).toEqual(['poll', 'change', 'change']);
});

test('reports changes, the end and growth', () => {
  const { calls, emit } = followed();
  emit(new MessageEvent('share-grew', { data: '{"durationMs":5000,"isOffRecord":false}' }));
  emit(new MessageEvent('share-changed'));
  emit(new MessageEvent('share-ended'));
  expect(calls).toEqual(['growth 5000 false', 'change', 'change']);
});

test('polls where no stream can be opened, until it is closed', () => {
  vi.useFakeTimers();
  try {
    const { follower, calls, emit } = followed();
    FakeSource.last?.close();
    emit(new Event('error'));
    expect(calls).toEqual(['poll']);
    vi.advanceTimersByTime(10_000);
    expect(calls).toEqual(['poll', 'poll']);
    follower.close();
    vi.advanceTimersByTime(60_000);
    expect(calls).toEqual(['poll', 'poll']);
  } finally {
    vi.useRealTimers();
  }
});
