/** Checks of a whole deployment, each with what to do where it fails: for `atollctl doctor` and the operator's page. */

export type { Check, Finding, Patient } from './check.ts'
export { allChecks } from './checks/all-checks.ts'
export { type DoctorConfig, doctorConfigOf } from './doctor-config.ts'
export { type Examined, examine, type Report } from './examine.ts'
export { openContext } from './open-context.ts'
export { requireProductionDefaults } from './production-defaults.ts'
export { reportText } from './report-text.ts'
