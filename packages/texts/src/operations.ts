/** Operations and their steps, and those of installs: one vocabulary for console and personal server. */
import type { OperationKind, OperationStepKey } from '@atoll/contract/clusters'
import { type Locale, lookUp } from '@atoll/contract/wire'
import tables from './tables/operations.gen.ts'

interface OperationTexts {
  kinds: Readonly<Record<OperationKind, string>>
  steps: Readonly<Record<OperationStepKey, string>>
  /** `machine` and `install` stand for all before and all of an install while nothing more is known. */
  installSteps: Readonly<Record<string, string>>
}

export const operationTexts: Record<Locale, OperationTexts> = tables

/** The label of a kind of operation; an unknown kind is shown as it is. */
export function operationKindLabel(kind: OperationKind, locale: Locale): string {
  return lookUp<OperationKind, string>(operationTexts[locale].kinds, kind, kind)
}

/** The label of an operation's step. */
export function operationStepLabel(step: OperationStepKey, locale: Locale): string {
  return lookUp<OperationStepKey, string>(operationTexts[locale].steps, step, step)
}

/** The label of an install's step; a step that an operator added keeps its own name. */
export function installStepLabel(step: string, locale: Locale): string {
  return operationTexts[locale].installSteps[step] ?? step
}
