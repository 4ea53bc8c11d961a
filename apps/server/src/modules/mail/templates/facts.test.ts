import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { accountMail } from './account-mail.ts'
import { domainMail } from './domain-mail.ts'

const site = { product: 'Atoll', url: 'https://atoll.example' }
const until = '2026-11-30T12:00:00.000Z'
const valuesOf = (facts: readonly { value: string }[] | undefined) => facts?.map(({ value }) => value)

test.each(locales)(
  'a mail in %s names the account or the domain, and its deadline in the zone of the reader',
  (locale) => {
    const account = { account: 'reef@atoll.test', until, timeZone: 'Asia/Kolkata' }
    const closing = accountMail.compose({ about: 'closing', ...account }, site, locale)
    expect(valuesOf(closing.facts)).toEqual(['reef@atoll.test', expect.stringContaining('17:30')])
    expect(valuesOf(accountMail.compose({ about: 'closed', ...account }, site, locale).facts)).toEqual([
      'reef@atoll.test',
    ])
    const ending = domainMail.compose(
      {
        event: 'httpsEnding',
        domain: 'reef.example',
        names: ['reef.example'],
        more: 2,
        fault: null,
        until,
        timeZone: 'Asia/Kolkata',
      },
      site,
      locale,
    )
    expect(valuesOf(ending.facts)).toEqual(['reef.example', 'reef.example, +2', expect.stringContaining('17:30')])
  },
)
