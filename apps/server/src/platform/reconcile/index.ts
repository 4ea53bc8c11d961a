/** Reconcilers: level-driven, one run per subject at a time, safe to kill anywhere. */
export { defineReconciler, enqueueReconcile, type ItemContext, type Outcome } from './define-reconciler.ts'
export { defineSweep, enqueueFullSweep } from './define-sweep.ts'
export { createReconcileLocks } from './reconcile-locks.ts'
