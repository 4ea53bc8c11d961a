import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = globSync('{apps,packages}/**/{locales,texts}/**/{en-US,zh-CN}.json', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|dist\.next)$/.test(path),
})
/** The words alone: keys are nobody's reading. */
const texts = files
  .flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'))
  .map((line) => line.replace(/^\s*"\w+": /, ''))
  .join('\n')

/** What readers did not understand at once; the words that took their place stand beside. */
test.each([
  ['Given up at', 'if not finished, and says why.'],
  ['Works once, until', 'This password works once.'],
  ['Choose the way in', 'How visitors reach it'],
  ['we carry nothing', 'traffic bypasses us'],
  ['None there? Decline', 'No number? Decline: someone may have sent you their code.'],
  ['Nothing charted here', 'Page not found'],
  ['You are signed in nowhere else.', 'No other sessions.'],
  ['Only you see it', undefined],
  ['Flavour', 'Type'],
  ['"In use"', '"Usage"'],
])('no front end says %j any more', (retired, instead) => {
  expect(files.length).toBeGreaterThan(30)
  expect(texts.includes(retired)).toBe(false)
  expect(instead === undefined || texts.includes(instead)).toBe(true)
})
