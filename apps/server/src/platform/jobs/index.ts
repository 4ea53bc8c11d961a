export { defineJob, type EnqueueOptions, enqueueJob, enqueueJobs, type Job, type JobContext } from './define.ts'
export { failedJobsSweep } from './failed-jobs-sweep.ts'
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts'
