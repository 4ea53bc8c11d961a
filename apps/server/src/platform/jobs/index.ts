export { defineJob, defineTimedJob, enqueueJob, enqueueJobs, type Job, type JobContext } from './define.ts'
export { failedJobsSweep } from './failed-jobs-sweep.ts'
export { type RunningWorker, startWorker } from './worker.ts'
