import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { alertMail } from './alert-mail.ts'

const site = { product: 'Atoll', url: 'https://atoll.example' }
const rules = ['disk', 'memory', 'offline', 'workload', 'backup', 'proof'] as const
const events = ['fired', 'cleared'] as const

test.each(locales.flatMap((locale) => rules.flatMap((rule) => events.map((event) => ({ locale, rule, event })))))(
  'in $locale says of $rule that it $event, with what and where',
  ({ locale, rule, event }) => {
    const params = {
      account: 'reef@atoll.test',
      cluster: 'Reef',
      instance: 'worker-1',
      subject: 'Photos',
      percent: 93,
      threshold: 71,
      minutes: 10,
    }
    const { subject, before, facts, reason } = alertMail.compose({ ...params, rule, event }, site, locale)
    expect(subject).toContain('Reef')
    expect(facts?.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['Reef', rule === 'backup' || rule === 'proof' ? 'Photos' : 'worker-1']),
    )
    const isSampled = rule === 'disk' || rule === 'memory'
    if (rule !== 'backup' && rule !== 'proof') expect(before.join('\n')).toContain('worker-1')
    if (isSampled || (rule === 'proof' && event === 'fired')) expect(before.join('\n')).toContain('93')
    if ((isSampled || rule === 'backup') && event === 'fired') expect(before.join('\n')).toContain('71')
    if (rule === 'workload' || rule === 'backup' || rule === 'proof')
      expect(subject + before.join('\n')).toContain('Photos')
    expect(reason).toContain('reef@atoll.test')
  },
)
