import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { staffMail } from './staff-mail.ts'

const about = { event: 'gaveUp', cluster: 'reef', clusterId: 'cl_1', said: 'The disk is full.' } as const
const site = { product: 'Atoll', url: 'https://console.example' }

test.each(locales)('time is promised back only where it is given back: %s', (locale) => {
  const after = (givesBack: boolean) => staffMail.compose({ ...about, givesBack }, site, locale).after.join('')
  expect(after(true)).toMatch(/balance|余额/)
  expect(after(false)).not.toMatch(/balance|余额/)
})
