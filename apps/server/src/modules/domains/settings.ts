/** Settings of custom domains. */
import { z } from 'zod'
import { setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const domainsSettings = {
  ATOLL_ORG_EMAIL: setting(
    z.enum(['google', 'any']),
    'google',
    'Email that the account of an organization needs to join it on the console: google (Gmail or Google Workspace) or any.',
  ),
}

export function domainsConfig(values: ValuesOf<typeof domainsSettings>) {
  return { orgEmail: values.ATOLL_ORG_EMAIL }
}
