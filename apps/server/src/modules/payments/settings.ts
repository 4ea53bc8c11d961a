/** Settings of the payment gateway. */
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { HttpUrl, secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'
import { gatewayNames } from './gateway/gateway.ts'

export const paymentsSettings = {
  ATOLL_PAYMENT_GATEWAY: setting(
    z.enum(gatewayNames),
    'sandbox',
    'Gateway that charges cards: sandbox accepts only test numbers and moves no money, stripe needs the two secrets below.',
  ),
  ATOLL_STRIPE_SECRET_KEY: secret(z.string().min(8).max(300).optional(), 'Secret key of your Stripe account.', 'none'),
  ATOLL_STRIPE_WEBHOOK_SECRET: secret(
    z.string().min(8).max(300).optional(),
    'Signing secret of the webhook endpoint ATOLL_PUBLIC_URL/pay/webhook/stripe.',
    'none',
  ),
  ATOLL_STRIPE_URL: setting(HttpUrl, 'https://api.stripe.com', "Address of Stripe's API."),
}

/** Which gateway charges, with all that it needs. Throws `ConfigError` naming a secret that is missing. */
export function paymentsConfig(values: ValuesOf<typeof paymentsSettings>): { payments: PaymentsConfig } {
  if (values.ATOLL_PAYMENT_GATEWAY === 'sandbox') return { payments: { gateway: 'sandbox' } }
  const secretOf = (name: 'ATOLL_STRIPE_SECRET_KEY' | 'ATOLL_STRIPE_WEBHOOK_SECRET') => {
    const value = values[name]
    if (value === undefined) throw new ConfigError(`${name}: is missing; ATOLL_PAYMENT_GATEWAY is stripe`)
    return value
  }
  return {
    payments: {
      gateway: 'stripe',
      secretKey: secretOf('ATOLL_STRIPE_SECRET_KEY'),
      webhookSecret: secretOf('ATOLL_STRIPE_WEBHOOK_SECRET'),
      baseUrl: values.ATOLL_STRIPE_URL,
    },
  }
}
export type PaymentsConfig =
  | { gateway: 'sandbox' }
  | { gateway: 'stripe'; secretKey: string; webhookSecret: string; baseUrl: string }
