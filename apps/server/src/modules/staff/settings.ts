/** Settings of the operator's area. */
import { z } from 'zod'
import { setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const staffSettings = {
  ATOLL_STAFF_MONEY_PER_DAY: setting(
    z.coerce.number().int().min(0).max(1_000_000),
    '500',
    "What one operator may credit, refund, write off and record as charged within 24 hours, in whole units of each currency; more needs another operator or the operator's command.",
  ),
  ATOLL_SUPPORT_CONSENT: setting(
    z.enum(['none', 'asked']),
    'none',
    "With asked, a person of support sees a customer's page, email and money only once the customer has allowed it to them, for 24 hours, and no books; operators are exempt.",
  ),
}

const minorUnits = 100

export function staffConfig(values: ValuesOf<typeof staffSettings>) {
  return {
    staffMoneyPerDay: values.ATOLL_STAFF_MONEY_PER_DAY * minorUnits,
    asksConsent: values.ATOLL_SUPPORT_CONSENT === 'asked',
  }
}
