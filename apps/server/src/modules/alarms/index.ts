/** Telling the operator when nobody is looking: alarms by mail and webhook, and a heartbeat for a service that misses it. */
export { type ConditionsDeps, standardConditions } from './conditions.ts'
export { startHeartbeatPing } from './heartbeat-ping.ts'
export { createTeller } from './tell.ts'
export { type Condition, startAlarmWatch } from './watch.ts'
