/** Settings of how agents reach the API, and of when one counts as silent. */
import { selfHostSilenceMs } from '@atoll/contract/clusters'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { Count, HttpUrl, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const agentsSettings = {
  ATOLL_CONTROL_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which agents reach the API; a worker without api needs it.',
    'http://127.0.0.1:ATOLL_PORT',
  ),
  ATOLL_ENROLL_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which self-hosted machines reach the API.',
    'ATOLL_PUBLIC_URL',
  ),
  ATOLL_SELF_HOST_SILENCE_SECONDS: setting(
    Count(2, 3600),
    String(selfHostSilenceMs / 1000),
    'Seconds without a report after which a self-hosted machine is offline.',
  ),
}

export function agentsConfig(
  values: ValuesOf<typeof agentsSettings>,
  { roles, port, publicUrl }: { roles: readonly string[]; port: number; publicUrl: string },
) {
  if (roles.includes('worker') && !roles.includes('api') && values.ATOLL_CONTROL_URL === undefined)
    throw new ConfigError('ATOLL_CONTROL_URL: a worker without api needs it, the address at which agents reach an api')
  return {
    controlUrl: values.ATOLL_CONTROL_URL ?? `http://127.0.0.1:${port}`,
    /** Where self-hosted machines reach the API. */
    enrollUrl: values.ATOLL_ENROLL_URL ?? publicUrl,
    selfHostSilenceMs: values.ATOLL_SELF_HOST_SILENCE_SECONDS * 1000,
  }
}
