/** The words of each other situation of a page of the console, in the language that the quick tier left out. */
import { it } from 'vitest'
import { findFirstOfPages, wordsLook } from '../stack/screens/look.ts'
import { shareVisitor } from '../stack/screens/share-visitor.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const visit = shareVisitor()
const firsts = findFirstOfPages(consoleStates)
const rows = consoleStates
  .map((state, row) => [state.name, state, wordsLook(row)] as const)
  .filter(([, state]) => !firsts.has(state))

it.concurrent.for(rows)(
  'the words of the screen “%s” fit in the other language',
  async ([, state, look], { expect }) => {
    expect(await visit(state, look)).toEqual([])
  },
)
