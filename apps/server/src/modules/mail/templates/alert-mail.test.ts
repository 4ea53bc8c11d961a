import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { alertMail } from './alert-mail.ts'

const site = { product: 'Atoll', url: 'https://atoll.example' }
const rules = ['disk', 'memory', 'offline'] as const
const events = ['fired', 'cleared'] as const

test.each(locales.flatMap((locale) => rules.flatMap((rule) => events.map((event) => ({ locale, rule, event })))))(
  'in $locale says of $rule that it $event, with what and where',
  ({ locale, rule, event }) => {
    const params = { account: 'reef@atoll.test', cluster: 'Reef', instance: 'worker-1', percent: 93, minutes: 10 }
    const { subject, before, reason } = alertMail.compose[locale]({ ...params, rule, event }, site)
    expect(subject).toContain('Reef')
    expect(before.join('\n')).toContain('worker-1')
    if (rule !== 'offline') expect(before.join('\n')).toContain('93')
    expect(reason).toContain('reef@atoll.test')
  },
)
