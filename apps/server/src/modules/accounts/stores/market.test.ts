import { expect, test } from 'vitest'
import { marketOf } from './market.ts'

const china = { currency: 'cny', zone: 'UTC+8' }
const global = { currency: 'usd', zone: 'UTC' }

test('where two hosts serve, the host decides, whatever the language', () => {
  const config = { publicUrl: 'https://cloud.example', chinaUrl: 'https://cloud.example.cn:8443' }
  expect(marketOf(config, { host: 'Cloud.Example.cn:8443', locale: 'en-US' })).toEqual(china)
  expect(marketOf(config, { host: 'cloud.example', locale: 'zh-CN' })).toEqual(global)
})

test('where one host serves both, the language decides', () => {
  const config = { publicUrl: 'https://cloud.example', chinaUrl: 'https://cloud.example' }
  expect(marketOf(config, { host: 'cloud.example', locale: 'zh-CN' })).toEqual(china)
  expect(marketOf(config, { host: 'cloud.example', locale: 'en-US' })).toEqual(global)
})
