/**
 * Notifies the operator when nobody is looking: alarms by mail and webhook, and a heartbeat for a service that reports
 * when it stops.
 */
export { type CheckWatch, createCheckWatch } from './check-conditions.ts'
export { type ConditionsDeps, standardConditions } from './conditions.ts'
export { startHeartbeatPing } from './heartbeat-ping.ts'
export { createTeller } from './tell.ts'
export { type Condition, startAlarmWatch } from './watch.ts'
