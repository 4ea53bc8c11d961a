import { z } from 'zod'
import { Millis } from '../wire/fields.ts'

/** `/config.json` of the console and of the wallet: what is decided when the server starts, never baked in. */
export const RuntimeConfig = z.object({
  product: z.string(),
  /** Of the program and the commit it was built from; absent from a server that is older than this page. */
  version: z.string().optional(),
  wallet: z.string(),
  /** Address the wallet posts to, and that the console names: its own origin by default. */
  hosts: z.object({ global: z.string(), china: z.string() }),
  /** This deployment's wallet, for people without a wallet app. */
  walletUrl: z.string(),
  /** Where it was before: keys that are still kept there are handed over to `walletUrl`. */
  formerWalletUrls: z.array(z.string()).default([]),
  /** Every wallet must send the number beside a sign-in code. */
  requireMatchNumber: z.boolean().default(false),
  /** The console's server shows the mails it kept at `/outbox`, to a browser on its own machine. */
  outbox: z.boolean().default(false),
  /** The operator's own pages; `support` may be a mail address, as `mailto:`. */
  links: z
    .object({
      support: z.string().optional(),
      status: z.string().optional(),
      terms: z.string().optional(),
      privacy: z.string().optional(),
    })
    .default({}),
  /** Server's clock when answered, ms; lets a page show the right time left on a device whose clock is wrong. */
  now: Millis,
})
export type RuntimeConfig = z.infer<typeof RuntimeConfig>
/** Name of the `meta` element in which the server writes it into the console's page, as JSON, to save the question. */
export const runtimeConfigName = 'runtime-config'
