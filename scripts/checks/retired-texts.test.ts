import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = globSync('packages/texts/*/*/*.json', { cwd: root })
/** The words alone: keys are nobody's reading. */
const texts = files
  .flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'))
  .map((line) => line.replace(/^\s*"\w+": /, ''))
  .join('\n')

/** Texts that readers did not understand at once, beside their replacements. */
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
  ['Put the old TXT record back', 'to keep the domain. Otherwise it goes to them. Names work until then.'],
  ['; over below', '{what} at {threshold} or more for {minutes} min. Clears below {clear}.'],
  ['What comes back did not load', 'The refund did not load. Any unused paid time is still refunded.'],
  ['Nothing renews.', 'Nothing to renew. Orders appear here with their next charge.'],
  ['what is held all the time', 'GB stored all the time, or GB per 30 days, from now on. Blank counts as 0.'],
  ['fires if it lasts', 'It becomes an alert if it lasts.'],
  ['Sealed in this browser', 'Encrypted in this browser. Only {cluster} can decrypt it.'],
  ['How long, and locked with what?', 'Retention and password'],
  ['New backup of what, and when?', 'What to back up, and when'],
  ['It serves on until then', 'It keeps running until you confirm.'],
  ['waits for your yes', 'needs your confirmation before it is destroyed'],
  ['A change upward starts now', 'Upgrades start now. Downgrades start on {date}.'],
  ['Nothing is forgotten or pruned', 'No snapshot is deleted until this is resolved'],
  ['Whoever has the password asks restic', 'With the backup password, run restic find --pack'],
  ['all heard from', 'all online'],
  ['Not read back yet', 'Not verified yet'],
  ['Lost is lost.', 'A lost password cannot be recovered.'],
  ['the present one', 'the current token'],
  ['What it is for', 'Charges'],
  ['"Being made"', 'In progress'],
  ['"Together"', '"Total"'],
  ['"In all"', '"Total"'],
  ['Of all', '"Share"'],
  ['A day, on average', 'Daily average'],
  ['What came after, by day', 'Usage since then, by day:'],
  ['读回', '校验'],
  ['账户', '账号'],
])('no front end says %j any more', (retired, instead) => {
  expect(files.length).toBeGreaterThan(30)
  expect(texts.includes(retired)).toBe(false)
  expect(instead === undefined || texts.includes(instead)).toBe(true)
})

test('the unit of what is stored does not break across lines', () => {
  expect(texts).toContain(String.raw`GB-\u2060month`)
  expect(texts).toContain(String.raw`GB·\u2060月`)
  expect(texts).not.toMatch(/GB-month|GB·月/)
})
