import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'

const load = (env: Record<string, string>) => loadConfig(env, '/').payments
const secrets = { ATOLL_STRIPE_SECRET_KEY: 'sk_test_some', ATOLL_STRIPE_WEBHOOK_SECRET: 'whsec_some' }

test('the sandbox charges unless another gateway is named, whatever secrets there are', () => {
  expect(load({})).toEqual({ gateway: 'sandbox' })
  expect(load(secrets)).toEqual({ gateway: 'sandbox' })
})

test('Stripe is asked at its own address, or at the one that is set', () => {
  const stripe = { ATOLL_PAYMENT_GATEWAY: 'stripe', ...secrets }
  expect(load(stripe)).toEqual({
    gateway: 'stripe',
    secretKey: 'sk_test_some',
    webhookSecret: 'whsec_some',
    baseUrl: 'https://api.stripe.com',
  })
  expect(load({ ...stripe, ATOLL_STRIPE_URL: 'http://127.0.0.1:9/' })).toMatchObject({ baseUrl: 'http://127.0.0.1:9' })
})

test.each(Object.keys(secrets))('Stripe without %s stops the start and names it', (name) => {
  expect(() => load({ ATOLL_PAYMENT_GATEWAY: 'stripe', ...secrets, [name]: '' })).toThrow(`${name}: is missing`)
})
