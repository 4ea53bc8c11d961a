/**
 * Every screen of the console, opened once, alternately in English and Chinese and in light and dark: no text missing,
 * nothing red on the console, nothing to scroll sideways for from a harness to the narrowest phone, no barrier that axe
 * finds (WCAG 2.2 AA), reached by keys, dark on white on paper, and whole on a server that is broken. The other
 * language of each is in the deep tier.
 */
import { expect, it } from 'vitest'
import { findFirstOfPages, quickLook } from '../stack/screens/look.ts'
import { shareVisitor } from '../stack/screens/share-visitor.ts'
import { type ConsoleState, consoleStates } from '../stack/states/console-states.ts'

const visit = shareVisitor()
const loaded = findFirstOfPages(consoleStates)
const rows = consoleStates.map((state, row) => [state.name, state, quickLook(row, loaded.has(state))] as const)

it.concurrent.for(rows)('the screen “%s” shows no fault', async ([, state, look], { expect }) => {
  expect(await visit(state, look)).toEqual([])
})

/** In the page: a dialog with one fault for each check. A script sets its style: the page's policy refuses others. */
const faulty = `(() => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  dialog.setAttribute('aria-label', 'Faulty')
  dialog.style.cssText = 'position: absolute; top: 0; left: 0; width: 2000px'
  dialog.innerHTML = '<button></button> shell.noSuchText'
  document.body.append(dialog)
  console.error('the console is red')
})()`

it('a visit names each fault with its screen, language, window, colours and check, and goes on after it', async () => {
  const state: ConsoleState = { name: 'faulty', path: '/sessions', open: ({ page }) => page.evaluate(faulty) }
  const found = await visit(state, quickLook(0))
  const faults = [
    '1280 px, light, texts and ways on: a text is missing: shell.noSuchText',
    '1280 px, light, width: 720 px wider than the window',
    '1280 px, light, axe: button-name: ',
    '1280 px, light, browser: the console is red',
    '390 x 560 px, light, keyboard: ',
    '320 px, light, width: 1680 px wider than the window',
  ]
  expect(found).toEqual(
    expect.arrayContaining(faults.map((fault) => expect.stringContaining(`faulty, en-US, ${fault}`))),
  )
})

it('a screen that cannot be opened is named, and the next is visited as ever', async () => {
  const lost: ConsoleState = {
    name: 'lost',
    path: '/sessions',
    open: () => Promise.reject(new Error('no such button')),
  }
  expect(await visit(lost, quickLook(1))).toEqual(['lost, zh-CN, 1280 px, light, visit: Error: no such button'])
  expect(await visit({ name: 'sessions', path: '/sessions' }, quickLook(1))).toEqual([])
})

/** In the page: two pairs of buttons as small as a browser makes them, of which one lies in a modal dialog. */
const covered = `document.querySelector('main').insertAdjacentHTML('afterbegin', '${[
  '<button id="behind1">1</button><button id="behind2">2</button><div role="dialog" aria-modal="true" aria-label="Open">',
  '<button id="within1">1</button><button id="within2">2</button></div>',
].join('')}')`

it('buttons too small to press are found in a modal dialog, and none behind it', async () => {
  const state: ConsoleState = { name: 'covered', path: '/sessions', open: ({ page }) => page.evaluate(covered) }
  const small = (await visit(state, quickLook(0))).filter((fault) => fault.includes('axe: target-size'))
  expect(small).toEqual(expect.arrayContaining([expect.stringContaining('id="within')]))
  expect(small.filter((fault) => fault.includes('id="behind'))).toEqual([])
})

/** In the page: a dialog whose answers lie under the window, one of them cut, and words that are cut. */
const outOfSight = `document.body.insertAdjacentHTML('beforeend', '${[
  '<div role="dialog" aria-modal="true" aria-label="Long" id="long"><p id="cut">Words that are cut in their middle</p>',
  '<p>Destroy Rangiroa</p><div data-answers><button id="answer">Destroy it</button></div></div>',
].join('')}');
document.getElementById('long').style.cssText = 'position: fixed; inset: 0; padding-top: 900px; overflow: hidden'
document.getElementById('cut').style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap'`

it('answers of a dialog that are out of sight are found, and words that are cut', async () => {
  const state: ConsoleState = { name: 'long', path: '/sessions', open: ({ page }) => page.evaluate(outOfSight) }
  const found = await visit(state, quickLook(0))
  for (const place of ['1280 px, light', '390 x 664 px']) {
    expect(found).toContain(`long, en-US, ${place}, answers of a dialog: “Destroy it” is out of sight`)
    expect(found).toContain(`long, en-US, ${place}, words: “Words that are cut in their middle” is cut at its side`)
  }
})

/** In the page: a row that is a link only where its words stand, and a name that is never broken. */
const narrow = `document.querySelector('main').insertAdjacentHTML('afterbegin', '${[
  '<table aria-label="Faulty"><tbody><tr><td><a href="/one">One</a></td><td>Two</td></tr></tbody></table>',
  '<p id="name">Rangiroa</p>',
].join('')}');
document.getElementById('name').style.whiteSpace = 'nowrap'`

it('a row of a phone that is not one link is found, and a name that the longest one does not fit in', async () => {
  const state: ConsoleState = { name: 'narrow', path: '/sessions', open: ({ page }) => page.evaluate(narrow) }
  const found = await visit(state, quickLook(0))
  expect(found).toContain('narrow, en-US, 390 x 664 px, rows: the row of “One” is not one link')
  expect(found).toContainEqual(expect.stringMatching(/390 x 664 px, words: with the longest name, .* px wider than/))
})
