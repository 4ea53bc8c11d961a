export * from './rollouts.ts'
