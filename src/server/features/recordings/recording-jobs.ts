import type { JobHandler } from '#server/jobs/job-queue.ts';
import { finishRecordingJobs } from './finish-recording.ts';
import { housekeepingJobs, housekeepingSchedules } from './housekeeping/housekeeping-jobs.ts';
import { type JudgeAgainDeps, judgeAgainJobs, judgeSchedules } from './judgement/judge-again.ts';

/** Jobs that repeat, with how often. */
export const recordingSchedules: readonly { kind: string; everyMs: number }[] = [
  ...housekeepingSchedules,
  ...judgeSchedules,
];

/** Every job that is about recordings. */
export const recordingJobs = (deps: JudgeAgainDeps): JobHandler[] => [
  ...finishRecordingJobs(deps),
  ...judgeAgainJobs(deps),
  ...housekeepingJobs(deps),
];
