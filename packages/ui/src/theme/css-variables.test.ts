import { expect, test } from 'vitest'
import { variablesSheet } from './css-variables.ts'

test('the style sheet has the variables of the theme', async () => {
  await expect(variablesSheet()).toMatchFileSnapshot('variables.css')
})

test('no variable is made of one that is left out', () => {
  const sheet = variablesSheet()
  const defined = new Set([...sheet.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name))
  const used = [...sheet.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name)
  expect(used.filter((name) => !defined.has(name))).toEqual([])
})
