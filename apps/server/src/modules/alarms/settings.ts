/** Whom this deployment tells how it fares when nobody is looking. */
import { z } from 'zod'
import { secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'

const web = z.url({ protocol: /^https?$/, error: 'must look like https://host/path' }).optional()

export const alarmsSettings = {
  ATOLL_OPERATOR_EMAIL: setting(
    z.email('must be an address such as operator@atoll.example').optional(),
    undefined,
    'Who is told when something needs an operator, and when it is over.',
    'nobody',
  ),
  ATOLL_OPERATOR_WEBHOOK: secret(web, 'The same is posted there as JSON.', 'nowhere'),
  ATOLL_HEARTBEAT_URL: secret(
    web,
    'Asked each minute while the api is ready and the worker runs jobs. Name a service there that raises an alarm when nobody asks: a server that is down sends no mail.',
    'nowhere',
  ),
}

export interface AlarmsConfig {
  operatorEmail: string | undefined
  operatorWebhook: string | undefined
  heartbeatUrl: string | undefined
}

export function alarmsConfig(values: ValuesOf<typeof alarmsSettings>): AlarmsConfig {
  return {
    operatorEmail: values.ATOLL_OPERATOR_EMAIL,
    operatorWebhook: values.ATOLL_OPERATOR_WEBHOOK,
    heartbeatUrl: values.ATOLL_HEARTBEAT_URL,
  }
}
