/** Settings of signing in, and of what a new account may do. */
import { z } from 'zod'
import { Count, setting, type ValuesOf, Yes } from '../../platform/settings/setting.ts'

export const accountsSettings = {
  ATOLL_SESSION_DAYS: setting(z.coerce.number().positive().max(3650), '7', 'Days that a sign-in lasts.'),
  ATOLL_REQUIRE_MATCH_NUMBER: setting(
    Yes,
    'false',
    'Whether every wallet must send the two digits shown beside the sign-in code; wallets that do not know them are then refused.',
  ),
  ATOLL_CAN_CREATE_CLUSTER: setting(Yes, 'true', 'Whether new accounts may create clusters.'),
  ATOLL_VCPU_QUOTA: setting(
    Count(0, 1_000_000),
    '16',
    'vCPU quota of an account whose plan has none in the catalogue.',
  ),
}

export function accountsConfig(values: ValuesOf<typeof accountsSettings>) {
  return {
    sessionMs: values.ATOLL_SESSION_DAYS * 24 * 60 * 60 * 1000,
    requireMatchNumber: values.ATOLL_REQUIRE_MATCH_NUMBER,
    canCreateCluster: values.ATOLL_CAN_CREATE_CLUSTER,
    vCpuQuota: values.ATOLL_VCPU_QUOTA,
  }
}
