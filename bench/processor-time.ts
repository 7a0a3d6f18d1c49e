/** The fields that are read of an event of Chromium's trace (Trace Event Format). Times are in microseconds. */
export interface TraceEvent {
  name: string;
  /** `X` is an event with a duration, `I` an instant; marks of the page's timeline have other phases. */
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** The processor time of the thread during the event. */
  tdur?: number;
}

const isTask = ({ name, ph, dur }: TraceEvent): boolean =>
  name === 'RunTask' && ph === 'X' && dur !== undefined;

/**
 * Gives every task of a trace its processor time as its length, and shortens what is in it alike. On two cores, beside
 * Lighthouse and the browser's other processes, a task waits for a core as long as it runs, and Lighthouse counts that
 * as work. Tasks start when they did; marks such as the first paint stay where they are.
 */
export function byProcessorTime(events: readonly TraceEvent[]): TraceEvent[] {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const tasks = Map.groupBy(
    events.filter(isTask).toSorted((a, b) => a.ts - b.ts),
    threadOf,
  );
  return events.map((event) => {
    if (event.ph !== 'X' && event.ph !== 'I') return event;
    const task = lastBefore(tasks.get(threadOf(event)) ?? [], event.ts);
    const { dur = 0, tdur = dur } = task ?? {};
    if (!task || event.ts >= task.ts + dur || dur === 0) return event;
    const share = Math.min(1, tdur / dur);
    return {
      ...event,
      ts: task.ts + (event.ts - task.ts) * share,
      ...(event.dur !== undefined && { dur: event.dur * share }),
    };
  });
}

/** The last task that started at or before a time, by bisection. */
function lastBefore(tasks: readonly TraceEvent[], ts: number): TraceEvent | undefined {
  let [from, to] = [0, tasks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((tasks[middle]?.ts ?? Infinity) <= ts) from = middle + 1;
    else to = middle;
  }
  return tasks[from - 1];
}
