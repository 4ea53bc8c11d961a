/** Settings that a deployment on a public address accepts only when the operator allows them. */
import { z } from 'zod'
import { List, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const allowances = ['sandbox', 'process', 'outbox', 'vault', 'key'] as const
export type Allowance = (typeof allowances)[number]

export const doctorSettings = {
  ATOLL_ALLOW: setting(
    List.pipe(z.array(z.enum(allowances))).optional(),
    undefined,
    `What the start else refuses on a public address, separated by commas, of: ${allowances.join(', ')}.`,
    'nothing',
  ),
}

export function doctorConfig(values: ValuesOf<typeof doctorSettings>): { allowed: readonly Allowance[] } {
  return { allowed: values.ATOLL_ALLOW ?? [] }
}
