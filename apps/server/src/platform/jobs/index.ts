export { countJobs, isUnderWay } from './count-jobs.ts'
export {
  defineJob,
  defineTimedJob,
  enqueueJob,
  enqueueJobs,
  type Job,
  type JobContext,
  type JobWaits,
} from './define.ts'
export { failedJobsSweep } from './failed-jobs-sweep.ts'
export { findJob } from './find-job.ts'
export {
  countTasks,
  discardJob,
  type FailedJob,
  listFailedJobs,
  retryJob,
  type TaskCounts,
} from './job-desk.ts'
export { type JobLane, type Lane, lanes } from './lanes.ts'
export { type RunningWorker, startWorker } from './worker.ts'
