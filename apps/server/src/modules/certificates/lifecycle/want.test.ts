import { describe, expect, test } from 'vitest'
import { isReplaced } from './want.ts'

const domain = { name: 'cloud.example', hosts: ['lena.cloud.example', 'jonas.cloud.example'] }
const replaced = (names: string[], ...serving: string[]) => isReplaced(names, domain, new Set(serving))

describe('a certificate of the former way', () => {
  test('is kept until each host that it is for has another, from delegation to CNAME', () => {
    const whole = ['cloud.example', '*.cloud.example']
    expect(replaced(whole)).toBe(false)
    expect(replaced(whole, 'lena.cloud.example')).toBe(false)
    expect(replaced(whole, 'lena.cloud.example', 'jonas.cloud.example')).toBe(true)
    expect(replaced(['*.lena.cloud.example'], 'jonas.cloud.example')).toBe(false)
    expect(replaced(['*.lena.cloud.example'], 'lena.cloud.example')).toBe(true)
  })

  test('is kept until a wildcard serves, from CNAME to delegation', () => {
    expect(replaced(['lena.cloud.example'], '*.lena.cloud.example')).toBe(false)
    expect(replaced(['lena.cloud.example'], 'cloud.example', '*.cloud.example')).toBe(true)
    expect(replaced(['photos.lena.cloud.example'], '*.cloud.example')).toBe(false)
    expect(replaced(['photos.lena.cloud.example'], '*.lena.cloud.example')).toBe(true)
  })

  test('goes with its host', () => {
    for (const gone of ['sami.cloud.example', '*.sami.cloud.example', 'photos.sami.cloud.example'])
      expect(replaced([gone])).toBe(true)
  })
})
