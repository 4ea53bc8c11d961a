export { checkQueue, type Heartbeat, queueHeartbeat, startHeartbeat } from './heartbeat.ts'
