import { expect, test } from 'vitest'
import { urlsOf } from './primary.ts'

test.each([
  ['postgresql://atoll@/atoll?host=/var/run/postgresql', ['postgresql://atoll@/atoll?host=/var/run/postgresql']],
  ['postgres://u:p%40@db.example:6432/atoll', ['postgres://u:p%40@db.example:6432/atoll']],
  [
    'postgres://u:p%40@one.example:5432,two.example:5433/atoll?sslmode=require',
    [
      'postgres://u:p%40@one.example:5432/atoll?sslmode=require',
      'postgres://u:p%40@two.example:5433/atoll?sslmode=require',
    ],
  ],
  [
    'postgresql://atoll@/atoll?host=/run/one,/run/two&port=5432,5433',
    ['postgresql://atoll@/atoll?host=%2Frun%2Fone&port=5432', 'postgresql://atoll@/atoll?host=%2Frun%2Ftwo&port=5433'],
  ],
  ['postgres://[::1]:5432,[::2]/atoll', ['postgres://[::1]:5432/atoll', 'postgres://[::2]/atoll']],
])('each host of %s has a URL of its own', (url, expected) => {
  expect(urlsOf(url)).toEqual(expected)
})
