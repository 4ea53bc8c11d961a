/**
 * The addresses of the front ends' pages, as their routers write them: `$name` is a segment, `{-$name}` one that may
 * be missing.
 */

export const consolePages = [
  '/',
  '/accountList',
  '/activity',
  '/alerts',
  '/backup',
  '/backupDetails/$backupId',
  '/billing',
  '/balanceDetail',
  '/bill',
  '/cluster/$clusterId',
  '/create/{-$uid}',
  '/createMobile/{-$uid}',
  '/domain/$base',
  '/domainMobile/$base',
  '/domains',
  '/help/{-$page}',
  '/instance',
  '/instanceMobile',
  '/languageList',
  '/login',
  '/login/$did',
  '/operator/{-$section}/{-$object}',
  '/paid/$clusterId',
  '/payment/$id',
  '/profile',
  '/sandbox',
  '/sessions',
  '/subscriptions/$id',
  '/usage',
  '/yourData',
] as const

export const walletPages = [
  '/',
  '/approve',
  '/bind/$did',
  '/change-passcode',
  '/credentials',
  '/domain/$base',
  '/identity/$did',
  '/join',
  '/move',
  '/new',
  '/new/check',
  '/new/import',
  '/new/passcode',
  '/new/register/$did',
  '/new/words',
  '/receive',
  '/scan',
  '/settings',
  '/unlock',
  '/welcome',
  '/words/$did',
] as const

/** Whether `path`, without a query, is the address of one of `pages`. */
export function isPagePath(pages: readonly string[], path: string): boolean {
  const asked = segmentsOf(path)
  return pages.some((page) => {
    const wanted = segmentsOf(page)
    const least = wanted.filter((segment) => !segment.startsWith('{-')).length
    if (asked.length < least || asked.length > wanted.length) return false
    return asked.every((segment, at) => segment === wanted[at] || wanted[at]?.includes('$'))
  })
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}
