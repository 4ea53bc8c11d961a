/** Settings of people's rights over their own data. */
import { z } from 'zod'
import { setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const rightsSettings = {
  ATOLL_RETENTION_YEARS: setting(
    z.coerce.number().int().min(1).max(30),
    '10',
    'Years for which the invoices of an erased account are kept, sealed, to the end of the year: as the law asks.',
  ),
}

export function rightsConfig(values: ValuesOf<typeof rightsSettings>) {
  return { retentionYears: values.ATOLL_RETENTION_YEARS }
}
