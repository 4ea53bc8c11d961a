import type { Locale } from '@atoll/contract/wire'

type Load = () => Promise<{ default: object }>

/** Files that a pattern `../*` and a path found, one in each language: the check sees to it that none lacks. */
export function byLocale(files: Record<string, Load>): Record<Locale, Load> {
  const loaders = Object.entries(files).map(([path, load]) => [path.split('/')[1], load])
  return Object.fromEntries(loaders) as Record<Locale, Load> // the folders are those of the languages
}
