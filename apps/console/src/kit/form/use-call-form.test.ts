import { verifyBindEmail } from '@atoll/contract/accounts'
import { createCluster, createWorker } from '@atoll/contract/clusters'
import { expect, test } from 'vitest'
import { problemsOf } from './use-call-form.ts'

const order = { clusterId: 'cl_abcdefgh', offering: 'small', quantity: 1 }

test('what a call’s schema refuses is shown at its field, in the language of the page', () => {
  expect(problemsOf(createWorker, order, 'en-US')).toEqual({})
  const wrong = { ...order, quantity: 0, offering: '' }
  expect(problemsOf(createWorker, wrong, 'en-US')).toEqual({
    quantity: 'Must be 1 or more',
    offering: 'Must not be empty',
  })
  expect(problemsOf(createWorker, wrong, 'zh-CN')).toEqual({ quantity: '不能小于 1', offering: '不能为空' })
  expect(problemsOf(verifyBindEmail, { email: 'lena@atoll.test', code: '1'.repeat(21) }, 'en-US')).toEqual({
    code: 'Must have at most 20 characters',
  })
})

test('a problem of a nested field is shown at the outer one', () => {
  const cloudflare = { tunnelToken: 'short', hostname: 'reef.example' }
  const body = { clusterType: 'SelfHost', reverseProxy: 'cloudflare', cloudflare } as const
  expect(Object.keys(problemsOf(createCluster, body, 'en-US'))).toEqual(['cloudflare'])
})
