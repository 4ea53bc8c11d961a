/** The pages of the help, in their order: `docs/user/{language}/{page}.md`, fetched when they are wanted. */
import type { Locale } from '@atoll/contract/wire'
import { runtimeConfig } from '../config/runtime-config.ts'
import { type HelpPage, readHelp } from './read-help.ts'

export const helpNames = [
  ...(['sign-in', 'first-cluster', 'self-hosting', 'backups', 'domains', 'billing', 'security'] as const),
] as const
export type HelpName = (typeof helpNames)[number]

const files = import.meta.glob<string>('../../../../docs/user/*/*.md', { query: '?raw', import: 'default' })

export interface NamedHelp extends HelpPage {
  name: HelpName
}

/** All pages in a language; throws when one cannot be had. */
export async function loadHelp(locale: Locale): Promise<NamedHelp[]> {
  const { product, wallet } = runtimeConfig()
  return await Promise.all(
    helpNames.map(async (name) => {
      const load = files[`../../../../docs/user/${locale}/${name}.md`]
      if (!load) throw new Error(`There is no help page ${name} in ${locale}`)
      const text = (await load()).replaceAll('{product}', product).replaceAll('{wallet}', wallet)
      return { name, ...readHelp(text) }
    }),
  )
}
