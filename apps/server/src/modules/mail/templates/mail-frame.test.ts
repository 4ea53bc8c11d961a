import { locales } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { mailHtml, mailText } from './mail-frame.ts'

const site = { product: 'Atoll', url: 'https://console.example' }
const body = { preview: '', heading: 'Approve', before: ['Your bank asks.'], after: ['Afterwards.'], reason: 'Why.' }

test.each(locales)('a mail has one link at most, its button, on a page of the console: %s', (locale) => {
  const action = { label: 'Approve <$9.40>', path: '/payment/inv_1' }
  const html = mailHtml({ ...body, action }, site, locale)
  expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://console.example/payment/inv_1"'])
  expect(html).toContain('Approve &lt;$9.40&gt;</a>')
  expect(mailHtml(body, site, locale)).not.toContain('href')
  const text = mailText({ ...body, action }, site, locale)
  expect(text).toContain('Approve <$9.40>\nhttps://console.example/payment/inv_1\n\nAfterwards.')
})

test.each(locales)('the foot names who helps, where the operator does: %s', (locale) => {
  const support = 'help@atoll.example'
  for (const form of [mailHtml, mailText]) {
    expect(form(body, { ...site, support }, locale)).toContain(support)
    expect(form(body, site, locale)).not.toContain('help')
  }
})

test.each(locales)('facts stand in both forms, each with its label: %s', (locale) => {
  const facts = [{ label: 'By', value: 'Wed 9 Dec, 11:02 <CET>' }]
  expect(mailHtml({ ...body, facts }, site, locale)).toContain('Wed 9 Dec, 11:02 &lt;CET&gt;</td>')
  expect(mailText({ ...body, facts }, site, locale)).toContain(
    'Your bank asks.\n\nBy: Wed 9 Dec, 11:02 <CET>\n\nAfterwards.',
  )
})
