export { defineJob, type EnqueueOptions, enqueueJob, type Job, type JobContext } from './define.ts'
export { failedJobsSweep } from './failed-jobs-sweep.ts'
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts'
