export { defineJob, type EnqueueOptions, enqueueJob, type Job, type JobContext } from './define.ts'
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts'
