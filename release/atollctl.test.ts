import { expect, it } from 'vitest'
import { listVerbs, script, verbs } from './testing/verbs.ts'

it('has a row of the table for each verb that its help names, and carries each out', () => {
  expect(listVerbs()).toEqual(Object.keys(verbs).sort())
  const carriedOut = script.slice(script.lastIndexOf('case $verb in'))
  const patterns = [...carriedOut.matchAll(/^([a-z][a-z |-]*[a-z])\)/gm)].flatMap(([, names = '']) =>
    names.split(' | '),
  )
  expect(patterns.filter((name) => !/^(-|help$)/.test(name)).sort()).toEqual(Object.keys(verbs).sort())
})
