import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consolePages, isPagePath, walletPages } from './page-paths.ts'

test.each([
  ['console/src/app', consolePages],
  ['wallet/src', walletPages],
])('the pages of %s are those of its router', (app, pages) => {
  const tree = readFileSync(new URL(`../../../../${app}/routeTree.gen.ts`, import.meta.url), 'utf8')
  const [, paths = ''] = /\n {2}fullPaths:(.*?)\n {2}fileRoutesByTo/s.exec(tree) ?? []
  const written = [...paths.matchAll(/'([^']+)'/g)].map(([, path = '']) =>
    path === '/' ? path : path.replace(/\/$/, ''),
  )
  // `/$` is the page for whatever is none.
  expect(written.filter((path) => path !== '/$').toSorted()).toEqual([...pages].toSorted())
})

test.each([
  ['/', true],
  ['/login', true],
  ['/login/', true],
  ['/login/did:key:z6Mk', true],
  ['/login/a/b', false],
  ['/create', true],
  ['/create/one', true],
  ['/cluster', false],
  ['/cluster/cl_1', true],
  ['/wp-login.php', false],
  ['/assets/gone-9999.js', false],
])('%s is a page of the console: %s', (path, isPage) => expect(isPagePath(consolePages, path)).toBe(isPage))
