/** Settings of the identity service. */
import { z } from 'zod'
import { Hostname, List, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const identitySettings = {
  ATOLL_NAME_DOMAINS: setting(
    List.pipe(z.array(Hostname).min(1)),
    'atoll.test',
    'Domains under which personal IDs can be bound, separated by commas.',
  ),
}

export function identityConfig(values: ValuesOf<typeof identitySettings>) {
  return { nameDomains: values.ATOLL_NAME_DOMAINS }
}
