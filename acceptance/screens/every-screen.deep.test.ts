/**
 * Every screen of the console, opened once more: in the language, the layout and the colours that the quick tier left
 * out, under the same checks.
 */
import { it } from 'vitest'
import { findFirstOfPages, remainingLook } from '../stack/screens/look.ts'
import { shareVisitor } from '../stack/screens/share-visitor.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const visit = shareVisitor()
const firsts = findFirstOfPages(consoleStates)
const rows = consoleStates.map((state, row) => [state.name, state, remainingLook(row, firsts.has(state))] as const)

it.concurrent.for(rows)(
  'the screen “%s” shows no fault in the other language, layout and colours either',
  async ([, state, look], { expect }) => {
    expect(await visit(state, look)).toEqual([])
  },
)
